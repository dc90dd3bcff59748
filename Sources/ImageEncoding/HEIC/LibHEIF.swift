internal import CLibHEIF
internal import Raster

// The one file that calls libheif. A context with its images and encoder belongs to one thread at a
// time; nothing here is shared between contexts.

/// Turns a libheif result into a typed error; the text is copied at once, because libheif may own it.
@safe
private func check(
  _ result: heif_error,
  _ operation: String
) throws(ImageEncodingError) {
  guard unsafe result.code != heif_error_Ok else { return }
  // libheif's messages are terminated C strings or null.
  let detail = unsafe result.message.map { unsafe String(cString: $0) } ?? "no message"
  throw .libraryFailed(.libheif, operation: operation, detail: detail)
}

/// The version of libheif that is loaded.
func libheifVersion() -> LibraryVersion {
  // A static, terminated string.
  LibraryVersion(name: "libheif", version: unsafe String(cString: heif_get_version()))
}

/// An 8-bit YCbCr 4:2:0 picture in libheif's memory.
@safe
struct HEIFPicture: ~Copyable {
  /// Colour planes in the order of ITU-T H.273.
  enum Channel: CaseIterable {
    case luma
    case blueDifference
    case redDifference

    fileprivate var constant: heif_channel {
      switch self {
      case .luma: heif_channel_Y
      case .blueDifference: heif_channel_Cb
      case .redDifference: heif_channel_Cr
      }
    }
  }

  let size: PixelSize
  fileprivate let image: OpaquePointer

  private init(taking image: OpaquePointer, size: PixelSize) {
    unsafe self.image = image
    self.size = size
  }

  deinit {
    unsafe heif_image_release(image)
  }

  /// The size of the planes of both colour differences: half of `size`, rounded up.
  var chromaSize: PixelSize {
    PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
  }

  /// Allocates the three planes; their content is undefined.
  static func allocate(size: PixelSize) throws(ImageEncodingError) -> HEIFPicture {
    var image: OpaquePointer?
    let created = unsafe heif_image_create(
      Int32(size.width),
      Int32(size.height),
      heif_colorspace_YCbCr,
      heif_chroma_420,
      &image
    )
    try check(created, "image creation")
    guard let image = unsafe image else {
      throw .libraryFailed(.libheif, operation: "image creation", detail: "no image")
    }
    let picture = unsafe HEIFPicture(taking: image, size: size)
    for channel in Channel.allCases {
      let plane = channel == .luma ? size : picture.chromaSize
      let added = unsafe heif_image_add_plane(
        image,
        channel.constant,
        Int32(plane.width),
        Int32(plane.height),
        8
      )
      try check(added, "plane allocation")
    }
    return picture
  }

  /// Tags the picture with an ICC profile and with code points of ITU-T H.273.
  borrowing func setColor(
    profile: ICCProfile,
    codePoints: ColorCodePoints
  ) throws(ImageEncodingError) {
    let set = unsafe profile.bytes.withUnsafeBytes { bytes in
      unsafe heif_image_set_raw_color_profile(image, "prof", bytes.baseAddress, bytes.count)
    }
    try check(set, "ICC profile")
    guard let nclx = unsafe heif_nclx_color_profile_alloc() else {
      throw .libraryFailed(.libheif, operation: "nclx profile", detail: "out of memory")
    }
    defer { unsafe heif_nclx_color_profile_free(nclx) }
    try unsafe check(
      heif_nclx_color_profile_set_color_primaries(nclx, codePoints.primaries),
      "nclx primaries"
    )
    try unsafe check(
      heif_nclx_color_profile_set_transfer_characteristics(nclx, codePoints.transfer),
      "nclx transfer"
    )
    try unsafe check(
      heif_nclx_color_profile_set_matrix_coefficients(nclx, codePoints.matrix),
      "nclx matrix"
    )
    unsafe nclx.pointee.full_range_flag = codePoints.isFullRange ? 1 : 0
    try unsafe check(heif_image_set_nclx_color_profile(image, nclx), "nclx profile")
  }

  /// The first byte of one plane and the distance between its rows; valid while the picture lives.
  ///
  /// Luma has `size`, the others `chromaSize` rows and columns.
  @unsafe
  mutating func plane(
    _ channel: Channel
  ) throws(ImageEncodingError) -> (base: UnsafeMutablePointer<UInt8>, stride: Int) {
    var stride: Int32 = 0
    guard let base = unsafe heif_image_get_plane(image, channel.constant, &stride) else {
      throw .libraryFailed(.libheif, operation: "plane access", detail: "no such plane")
    }
    return unsafe (base, Int(stride))
  }
}

/// The HEVC encoder of libheif, which is x265 as Debian builds it.
@safe
struct HEVCEncoder: ~Copyable {
  fileprivate let encoder: OpaquePointer

  fileprivate init(taking encoder: OpaquePointer) {
    unsafe self.encoder = encoder
  }

  deinit {
    unsafe heif_encoder_release(encoder)
  }

  /// What the encoder calls itself, with its version (`x265 HEVC encoder (3.5+1-f0c1022b6)`).
  borrowing func name() -> String {
    unsafe heif_encoder_get_name(encoder).map { unsafe String(cString: $0) } ?? "unknown"
  }

  /// Sets a parameter by name; names that start with `x265:` go to x265 unchecked.
  borrowing func set(_ name: String, _ value: String) throws(ImageEncodingError) {
    try unsafe check(heif_encoder_set_parameter(encoder, name, value), "parameter \(name)")
  }

  borrowing func set(_ name: String, _ value: Int) throws(ImageEncodingError) {
    try unsafe check(
      heif_encoder_set_parameter_integer(encoder, name, Int32(clamping: value)),
      "parameter \(name)"
    )
  }
}

/// An image item within a file that is being assembled.
@safe
struct HEIFItem: ~Copyable {
  fileprivate let handle: OpaquePointer

  fileprivate init(taking handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe heif_image_handle_release(handle)
  }
}

/// A HEIF file that is being assembled in memory.
@safe
struct HEIFFile: ~Copyable {
  private let context: OpaquePointer

  private init(taking context: OpaquePointer) {
    unsafe self.context = context
  }

  deinit {
    unsafe heif_context_free(context)
  }

  static func make() throws(ImageEncodingError) -> HEIFFile {
    guard let context = unsafe heif_context_alloc() else {
      throw .libraryFailed(.libheif, operation: "context creation", detail: "out of memory")
    }
    return unsafe HEIFFile(taking: context)
  }

  /// - Throws: `encoderMissing` where libheif was built or installed without x265.
  borrowing func makeEncoder() throws(ImageEncodingError) -> HEVCEncoder {
    var encoder: OpaquePointer?
    let result = unsafe heif_context_get_encoder_for_format(
      context,
      heif_compression_HEVC,
      &encoder
    )
    if unsafe result.code == heif_error_Unsupported_filetype {
      throw .encoderMissing(.libheif, encoder: "HEVC")
    }
    try check(result, "encoder creation")
    guard let encoder = unsafe encoder else {
      throw .encoderMissing(.libheif, encoder: "HEVC")
    }
    let hevc = unsafe HEVCEncoder(taking: encoder)
    // Other encoders have other parameters and other bytes.
    guard hevc.name().hasPrefix("x265") else {
      throw .encoderMissing(.libheif, encoder: "x265")
    }
    return hevc
  }

  /// Compresses a picture and adds it; the first one becomes the primary image.
  borrowing func encode(
    _ picture: borrowing HEIFPicture,
    with encoder: borrowing HEVCEncoder
  ) throws(ImageEncodingError) -> HEIFItem {
    guard let options = unsafe heif_encoding_options_alloc() else {
      throw .libraryFailed(.libheif, operation: "options", detail: "out of memory")
    }
    defer { unsafe heif_encoding_options_free(options) }
    // nclx is dropped silently unless asked for (libheif 1.15 defaults to a workaround for old
    // readers), and beside an ICC profile unless two boxes are asked for.
    unsafe options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    unsafe options.pointee.save_two_colr_boxes_when_ICC_and_nclx_available = 1
    // Sizes that HEVC can't code are cropped by a one-tile grid and not by clap, which readers ignore.
    unsafe options.pointee.macOS_compatibility_workaround = 1
    unsafe options.pointee.save_alpha_channel = 0
    var handle: OpaquePointer?
    let result = unsafe heif_context_encode_image(
      context,
      picture.image,
      encoder.encoder,
      options,
      &handle
    )
    try check(result, "image encoding")
    guard let handle = unsafe handle else {
      throw .libraryFailed(.libheif, operation: "image encoding", detail: "no image")
    }
    return unsafe HEIFItem(taking: handle)
  }

  /// Makes one item the thumbnail of another.
  borrowing func assign(
    thumbnail: borrowing HEIFItem,
    to item: borrowing HEIFItem
  ) throws(ImageEncodingError) {
    // libheif 1.15 takes the arguments the other way round than its header names them; `verify` sees
    // to it that a library that does not is refused rather than used.
    try unsafe check(
      heif_context_assign_thumbnail(context, thumbnail.handle, item.handle),
      "thumbnail"
    )
  }

  /// Adds an Exif block (a TIFF structure; libheif prepends the offset field) to an item.
  borrowing func addExif(
    _ block: [UInt8],
    to item: borrowing HEIFItem
  ) throws(ImageEncodingError) {
    let result = unsafe block.withUnsafeBytes { bytes in
      unsafe heif_context_add_exif_metadata(
        context,
        item.handle,
        bytes.baseAddress,
        Int32(clamping: bytes.count)
      )
    }
    try check(result, "Exif")
  }

  /// Writes the file, once it reads back as `expected`, and returns its size in bytes.
  borrowing func write(
    expecting expected: HEIFStructure,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> Int {
    let output = HEIFOutput(sink: sink, expected: expected)
    var writer = unsafe heif_writer(writer_api_version: 1) { _, data, size, user in
      // `user` is the output below, which outlives heif_context_write; `data` has `size` bytes.
      let output = unsafe user.map { unsafe Unmanaged<HEIFOutput>.fromOpaque($0) }
      let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size)
      let isWritten = unsafe output?.takeUnretainedValue().write(bytes) ?? false
      return unsafe heif_error(
        code: isWritten ? heif_error_Ok : heif_error_Encoding_error,
        subcode: isWritten ? heif_suberror_Unspecified : heif_suberror_Cannot_write_output_data,
        message: nil
      )
    }
    let result = unsafe withExtendedLifetime(output) {
      unsafe heif_context_write(
        context,
        &writer,
        Unmanaged.passUnretained(output).toOpaque()
      )
    }
    if let failure = output.failure { throw failure }
    try check(result, "file writing")
    return output.byteCount
  }
}

/// What a finished file must show to a reader.
struct HEIFStructure: Equatable {
  /// Of the primary image.
  var size: PixelSize
  /// Size of the primary image's thumbnail, where it has one.
  var thumbnail: PixelSize?
  var codePoints: ColorCodePoints
  var profileByteCount: Int
  var exifByteCount: Int
}

extension HEIFStructure {
  /// Reads the structure of a file, without decoding its pixels.
  @safe
  init(reading file: UnsafeRawBufferPointer) throws(ImageEncodingError) {
    guard let context = unsafe heif_context_alloc() else {
      throw .libraryFailed(.libheif, operation: "verification", detail: "out of memory")
    }
    defer { unsafe heif_context_free(context) }
    // The context borrows the caller's bytes and is gone before they are.
    let read = unsafe heif_context_read_from_memory_without_copy(
      context,
      file.baseAddress,
      file.count,
      nil
    )
    try check(read, "verification: parsing")
    var primary: OpaquePointer?
    let found = unsafe heif_context_get_primary_image_handle(context, &primary)
    try check(found, "verification: primary image")
    guard let handle = unsafe primary else {
      throw .libraryFailed(.libheif, operation: "verification", detail: "no primary image")
    }
    let item = unsafe HEIFItem(taking: handle)
    size = item.size()
    thumbnail = try item.thumbnail()?.size()
    codePoints = try item.codePoints()
    profileByteCount = unsafe heif_image_handle_get_raw_color_profile_size(handle)
    exifByteCount = item.exifByteCount()
  }
}

extension HEIFItem {
  fileprivate borrowing func size() -> PixelSize {
    unsafe PixelSize(
      width: Int(heif_image_handle_get_width(handle)),
      height: Int(heif_image_handle_get_height(handle))
    )
  }

  fileprivate borrowing func thumbnail() throws(ImageEncodingError) -> HEIFItem? {
    var identifier: heif_item_id = 0
    guard unsafe heif_image_handle_get_list_of_thumbnail_IDs(handle, &identifier, 1) == 1 else {
      return nil
    }
    var thumbnail: OpaquePointer?
    let found = unsafe heif_image_handle_get_thumbnail(handle, identifier, &thumbnail)
    try check(found, "verification: thumbnail")
    return unsafe thumbnail.map { unsafe HEIFItem(taking: $0) }
  }

  fileprivate borrowing func codePoints() throws(ImageEncodingError) -> ColorCodePoints {
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    let found = unsafe heif_image_handle_get_nclx_color_profile(handle, &profile)
    try check(found, "verification: nclx")
    guard let profile = unsafe profile else {
      throw .libraryFailed(.libheif, operation: "verification", detail: "no nclx")
    }
    defer { unsafe heif_nclx_color_profile_free(profile) }
    let nclx = unsafe profile.pointee
    return ColorCodePoints(
      primaries: UInt16(clamping: nclx.color_primaries.rawValue),
      transfer: UInt16(clamping: nclx.transfer_characteristics.rawValue),
      matrix: UInt16(clamping: nclx.matrix_coefficients.rawValue),
      isFullRange: nclx.full_range_flag != 0
    )
  }

  /// Bytes of the Exif item without its offset field, or 0.
  fileprivate borrowing func exifByteCount() -> Int {
    var identifier: heif_item_id = 0
    let count = unsafe heif_image_handle_get_list_of_metadata_block_IDs(
      handle,
      "Exif",
      &identifier,
      1
    )
    guard count == 1 else { return 0 }
    return unsafe max(0, heif_image_handle_get_metadata_size(handle, identifier) - 4)
  }
}

/// The picture of a file's primary image as coded, in interleaved RGB of 8 bits: its thumbnail, where it has
/// one, for that is quicker to decode.
func readSmallPicture(_ file: [UInt8]) throws(ImageEncodingError) -> Plane<UInt8> {
  guard let context = unsafe heif_context_alloc() else {
    throw .libraryFailed(.libheif, operation: "reading", detail: "out of memory")
  }
  defer { unsafe heif_context_free(context) }
  let read = unsafe file.withUnsafeBytes { bytes in
    // Copied by the library: the bytes need not outlive the call.
    unsafe heif_context_read_from_memory(context, bytes.baseAddress, bytes.count, nil)
  }
  try check(read, "parsing")
  var primary: OpaquePointer?
  try unsafe check(heif_context_get_primary_image_handle(context, &primary), "primary image")
  guard let handle = unsafe primary else {
    throw .libraryFailed(.libheif, operation: "primary image", detail: "no image")
  }
  let item = unsafe HEIFItem(taking: handle)
  guard let thumbnail = try item.thumbnail() else { return try item.decoded() }
  return try thumbnail.decoded()
}

extension HEIFItem {
  fileprivate borrowing func decoded() throws(ImageEncodingError) -> Plane<UInt8> {
    var decoded: OpaquePointer?
    let result = unsafe heif_decode_image(
      handle,
      &decoded,
      heif_colorspace_RGB,
      heif_chroma_interleaved_RGB,
      nil
    )
    try check(result, "decoding")
    guard let image = unsafe decoded else {
      throw .libraryFailed(.libheif, operation: "decoding", detail: "no image")
    }
    defer { unsafe heif_image_release(image) }
    let width = Int(unsafe heif_image_get_width(image, heif_channel_interleaved))
    let height = Int(unsafe heif_image_get_height(image, heif_channel_interleaved))
    var stride: Int32 = 0
    guard
      let base = unsafe heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
      width > 0, height > 0, Int(stride) >= 3 * width
    else {
      throw .libraryFailed(.libheif, operation: "decoding", detail: "no plane of RGB")
    }
    var plane: Plane<UInt8>
    do throws(RasterError) {
      plane = try Plane(width: 3 * width, height: height)
    } catch {
      throw .raster(error)
    }
    for y in 0..<height {
      // `height` rows of at least `3 * width` bytes, `stride` apart, which live as long as the image.
      let row = unsafe UnsafeBufferPointer(start: base + y * Int(stride), count: 3 * width)
      plane.withMutableRow(y) { target in
        for x in 0..<3 * width { target[x] = unsafe row[x] }
      }
    }
    return plane
  }
}
