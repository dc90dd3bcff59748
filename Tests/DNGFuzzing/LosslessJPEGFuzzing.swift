internal import DNGFormat
internal import Raster
internal import RawModel
internal import TIFFContainer

/// One stream alone and the same stream as several strips of a DNG are taken alike.
enum LosslessJPEGFuzzing {
  private static let stripCount = 4
  private static let sampleLimit = 1 << 15

  static func fault(_ bytes: [UInt8]) -> String? {
    // Width and lines of the first frame header, wherever it stands; any number where there is none.
    let (width, rows) = frameSize(bytes) ?? (4, 1)
    guard width > 0, rows > 0, width <= sampleLimit / rows else { return nil }
    let alone: Result<[UInt16], LosslessJPEGError>
    do throws(LosslessJPEGError) {
      let decoder = LosslessJPEGDecoder()
      alone = .success(try decoder.decode(bytes, sampleCount: width * rows).samples)
    } catch {
      alone = .failure(error)
    }
    guard !bytes.isEmpty, let file = file(bytes, width: width, rows: rows) else { return nil }
    let frame: RawFrame
    do throws(DNGReadError) {
      frame = try DNGReader.read(file, scheduler: TileScheduler(laneCount: 1))
    } catch {
      switch (alone, error) {
      case (.failure(let first), .losslessJPEG(tile: 0, let second)) where first == second:
        return nil
      case (.failure(.otherProcess), .unsupported), (.failure, .tileByteCount):
        return nil
      default:
        return "alone: \(alone); as strips: \(error)"
      }
    }
    guard case .success(let samples) = alone else { return "alone: \(alone); as strips: read" }
    for y in 0..<rows * stripCount {
      let expected = samples[y % rows * width..<(y % rows + 1) * width].map { Double($0) }
      guard frame.samples.values(ofRow: y) == expected else { return "line \(y) differs" }
    }
    return nil
  }

  private static func frameSize(_ bytes: [UInt8]) -> (width: Int, rows: Int)? {
    var index = 0
    while index + 10 <= bytes.count {
      if bytes[index] == 0xFF, bytes[index + 1] == 0xC3 {
        let rows = Int(bytes[index + 5]) << 8 | Int(bytes[index + 6])
        let columns = Int(bytes[index + 7]) << 8 | Int(bytes[index + 8])
        return (columns * Int(bytes[index + 9]), rows)
      }
      index += 1
    }
    return nil
  }

  /// A monochrome raw whose strips are all this stream.
  private static func file(_ stream: [UInt8], width: Int, rows: Int) -> [UInt8]? {
    var main = IFDBuilder()
    main.set(.newSubFileType, long: 0)
    main.set(.imageWidth, long: UInt32(width))
    main.set(.imageLength, long: UInt32(rows * stripCount))
    main.set(.bitsPerSample, short: 16)
    main.set(.compression, short: 7)
    main.set(.photometricInterpretation, short: 34_892)
    main.set(.samplesPerPixel, short: 1)
    main.set(.rowsPerStrip, long: UInt32(rows))
    main.set(.dngVersion, bytes: [1, 4, 0, 0])
    main.set(.orientation, short: 1)
    main.set(.uniqueCameraModel, ascii: "Fuzzed")
    main.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segmentByteCounts: Array(repeating: stream.count, count: stripCount)
    )
    do throws(TIFFWritingError) {
      let layout = try TIFFWriter.layOut([main])
      var file = layout.structure
      for offset in layout.segmentOffsets {
        file += Array(repeating: 0, count: offset - file.count)
        file += stream
      }
      return file
    } catch {
      return nil
    }
  }
}
