internal import CLibYAML

/// The one wrapper of libyaml: the events of a text in order.
///
/// A parser belongs to one thread at a time; texts are at most `RecipeLimits.byteCount` long.
@safe struct YAMLEventReader: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The text, which libyaml reads in place.
  private let text: UnsafeMutableBufferPointer<UInt8>

  private init(
    owning parser: UnsafeMutablePointer<yaml_parser_t>,
    _ text: UnsafeMutableBufferPointer<UInt8>
  ) {
    unsafe self.parser = parser
    unsafe self.text = text
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// A reader of a UTF-8 text.
  static func open(_ bytes: [UInt8]) throws(RecipeError) -> YAMLEventReader {
    // The parser keeps a pointer to itself, so it needs an address of its own.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      throw .yaml(reason: "out of memory", at: RecipePosition(line: 1, column: 1))
    }
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe text.initialize(from: bytes)
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
    return unsafe YAMLEventReader(owning: parser, text)
  }

  /// The next event; after the stream's end there is none.
  mutating func next() throws(RecipeError) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
    defer { unsafe yaml_event_delete(&event) }
    return unsafe Self.convert(event)
  }

  private var failure: RecipeError {
    var reason = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
    if let context = unsafe parser.pointee.context {
      reason += unsafe " " + String(cString: context)
    }
    return .yaml(reason: reason, at: Self.position(unsafe parser.pointee.problem_mark))
  }

  private static func position(_ mark: yaml_mark_t) -> RecipePosition {
    RecipePosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  /// Copies what an event holds; the union's member that is read is the one of the event's type.
  private static func convert(_ event: yaml_event_t) -> YAMLEvent {
    let position = unsafe position(event.start_mark)
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, position: position)
    case YAML_DOCUMENT_START_EVENT:
      let start = unsafe event.data.document_start
      let version = unsafe start.version_directive.map {
        unsafe "\($0.pointee.major).\($0.pointee.minor)"
      }
      let hasTags = unsafe start.tag_directives.start != start.tag_directives.end
      return YAMLEvent(
        kind: .documentStart(version: version, hasTagDirectives: hasTags),
        position: position
      )
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, position: position)
    case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, position: position)
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return YAMLEvent(
        kind: .scalar(
          unsafe String(decoding: bytes, as: UTF8.self),
          isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
        ),
        position: position,
        hasAnchor: unsafe scalar.anchor != nil,
        hasTag: unsafe scalar.tag != nil
      )
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return YAMLEvent(
        kind: .sequenceStart,
        position: position,
        hasAnchor: unsafe start.anchor != nil,
        hasTag: unsafe start.tag != nil
      )
    case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, position: position)
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return YAMLEvent(
        kind: .mappingStart,
        position: position,
        hasAnchor: unsafe start.anchor != nil,
        hasTag: unsafe start.tag != nil
      )
    case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, position: position)
    default: return YAMLEvent(kind: .streamEnd, position: position)
    }
  }
}
