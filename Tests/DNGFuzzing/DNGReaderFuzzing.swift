internal import DNGFormat
internal import Raster
internal import RawModel

/// What is read can be written anew without loss, or is refused by name; and reads back equal.
enum DNGReaderFuzzing {
  /// Small enough for thousands of inputs a second; what is larger takes the same ways.
  private static let limits = DNGReadLimits(pixels: 1 << 16, decodedBytes: 1 << 19)

  static func fault(_ bytes: [UInt8]) -> String? {
    inspect(bytes)
    // One of them for each input, so that more inputs are tried.
    let compressions: [DNGOutputSettings.Compression] = [.losslessJPEG, .none, .deflate]
    let settings = DNGOutputSettings(
      compression: compressions[bytes.count % compressions.count],
      software: "fuzzer"
    )
    do throws(DNGReadError) {
      let frame = try DNGReader.read(
        bytes,
        scheduler: scheduler,
        limits: limits,
        digestPolicy: .warn
      )
      return copyFault(frame, try DNGOriginal(bytes), settings).map {
        "\(settings.compression): \($0)"
      }
    } catch {
      return nil
    }
  }

  private static let scheduler = TileScheduler(laneCount: 1)

  private static func copyFault(
    _ frame: borrowing RawFrame,
    _ original: DNGOriginal,
    _ settings: DNGOutputSettings
  ) -> String? {
    let output: [UInt8]
    do throws(DNGWritingError) {
      output = try DNGWriter.write(
        frame,
        keeping: original,
        settings: settings,
        scheduler: scheduler
      ).bytes()
    } catch {
      return nil
    }
    do throws(DNGReadError) {
      return difference(frame, try DNGReader.read(output, scheduler: scheduler, limits: limits))
    } catch {
      return "what was written is refused: \(error)"
    }
  }

  private static func inspect(_ bytes: [UInt8]) {
    do throws(DNGReadError) { _ = try DNGReader.inspect(bytes) } catch {}
  }

  private static func difference(
    _ frame: borrowing RawFrame,
    _ copy: borrowing RawFrame
  ) -> String? {
    guard frame.samples.kind == copy.samples.kind, frame.samples.width == copy.samples.width,
      frame.samples.height == copy.samples.height
    else { return "the copy has another kind or size" }
    for y in 0..<frame.samples.height {
      let (row, copied) = (frame.samples.values(ofRow: y), copy.samples.values(ofRow: y))
      guard row.map(\.bitPattern) == copied.map(\.bitPattern) else {
        return "row \(y) of the copy differs"
      }
    }
    return nil
  }
}
