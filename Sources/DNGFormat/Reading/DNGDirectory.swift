internal import Diagnostics
internal import TIFFContainer

/// An IFD whose getters throw this module's error.
struct DNGDirectory {
  let tiff: TIFFDirectory

  var name: String { tiff.name }

  func has(_ tag: TIFFTag) -> Bool { tiff.has(tag) }

  func site(_ tag: TIFFTag) -> TIFFTagSite { tiff.site(tag) }

  /// The error that the tag's value doesn't go with the rest of the file.
  func inconsistent(_ tag: TIFFTag, _ reason: String) -> DNGReadError {
    .inconsistentTag(site(tag), reason: reason)
  }

  func integer(
    _ tag: TIFFTag,
    in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(DNGReadError) -> Int? {
    do { return try tiff.integer(tag, in: range) } catch { throw .container(error) }
  }

  func requiredInteger(
    _ tag: TIFFTag,
    in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(DNGReadError) -> Int {
    do { return try tiff.requiredInteger(tag, in: range) } catch { throw .container(error) }
  }

  func integers(_ tag: TIFFTag, count: ClosedRange<Int>) throws(DNGReadError) -> [Int]? {
    do { return try tiff.integers(tag, count: count) } catch { throw .container(error) }
  }

  func offsets(_ tag: TIFFTag, count: ClosedRange<Int>) throws(DNGReadError) -> [UInt64]? {
    do { return try tiff.offsets(tag, count: count) } catch { throw .container(error) }
  }

  func numbers(_ tag: TIFFTag, count: ClosedRange<Int>) throws(DNGReadError) -> [Double]? {
    do { return try tiff.numbers(tag, count: count) } catch { throw .container(error) }
  }

  func number(_ tag: TIFFTag) throws(DNGReadError) -> Double? {
    do { return try tiff.number(tag) } catch { throw .container(error) }
  }

  /// One number that may be stated as unknown: writers put a fraction over 0 (Exif 2.32), which
  /// counts as the tag's absence.
  func knownNumber(_ tag: TIFFTag) throws(DNGReadError) -> Double? {
    do {
      return try tiff.number(tag)
    } catch .invalidValue {
      return nil
    } catch {
      throw .container(error)
    }
  }

  /// A value that only informs, such as capture data: nil where it is damaged, with a warning.
  ///
  /// A number that is stated as unknown (a fraction over 0, Exif 2.32) is absent without one.
  func informative<Value>(
    _ warnings: inout ReadWarnings,
    _ get: (TIFFDirectory) throws(TIFFReadError) -> Value?
  ) -> Value? {
    do throws(TIFFReadError) {
      return try get(tiff)
    } catch .invalidValue {
      return nil
    } catch {
      warnings.add("\(error.message); read as absent")
      return nil
    }
  }

  func bytes(_ tag: TIFFTag, limit: Int) throws(DNGReadError) -> [UInt8]? {
    do { return try tiff.bytes(tag, limit: limit) } catch { throw .container(error) }
  }

  func text(_ tag: TIFFTag) throws(DNGReadError) -> String? {
    do { return try tiff.text(tag) } catch { throw .container(error) }
  }
}
