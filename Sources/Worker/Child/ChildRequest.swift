package import JSON

/// What a worker asks of its child; the files travel beside the message, the input first.
package enum ChildRequest: Sendable {
  /// The first message: the version of the protocol.
  case hello(version: Int)
  /// Decode the input, develop it and write one output into each file after the first; a raw's new file
  /// remembers the input's name.
  case render(recipe: JSONValue, threads: Int, inputName: String)
  /// Say what the input is; with the SHA-256 of the stored samples if asked.
  case inspect(computesDigest: Bool)
  /// Say of each file what it is, by a few reads of its head.
  case classify
  /// Say what a recipe means for the input; with the stages if asked.
  case explain(recipe: JSONValue, includesPlan: Bool)

  /// Say how far the samples and tags of the second file are from those of the first, the input; a mosaic
  /// is demosaiced first if asked.
  case compare(demosaics: Bool, threads: Int)

  /// Measure the input's samples; `binCount` adds histograms of that many bins.
  case statistics(binCount: Int?, threads: Int)

  /// Make a small picture of the input, its longer side of at most so many pixels.
  case thumbnail(longEdge: Int)

  /// The version of the protocol that this program speaks.
  package static let version = 4

  package var json: JSONValue {
    switch self {
    case .hello(let version):
      ["type": "hello", "version": JSONValue(version)]
    case .render(let recipe, let threads, let inputName):
      [
        "type": "render", "recipe": recipe, "threads": JSONValue(threads),
        "inputName": JSONValue(inputName),
      ]
    case .inspect(let computesDigest):
      ["type": "inspect", "digest": JSONValue(computesDigest)]
    case .classify: ["type": "classify"]
    case .explain(let recipe, let includesPlan):
      ["type": "explain", "recipe": recipe, "plan": JSONValue(includesPlan)]
    case .compare(let demosaics, let threads):
      [
        "type": "compare", "demosaics": JSONValue(demosaics), "threads": JSONValue(threads),
      ]
    case .statistics(let binCount, let threads):
      [
        "type": "statistics", "binCount": binCount.map { .init($0) } ?? .null,
        "threads": JSONValue(threads),
      ]
    case .thumbnail(let longEdge): ["type": "thumbnail", "longEdge": JSONValue(longEdge)]
    }
  }

  package init(json: JSONValue) throws(ChannelError) {
    do throws(JSONError) {
      let type = try json.requireString("type")
      switch type {
      case "hello": self = .hello(version: try json.requireInteger("version"))
      case "render":
        self = .render(
          recipe: try json.require("recipe"),
          threads: try json.requireInteger("threads"),
          inputName: try json.requireString("inputName")
        )
      case "inspect": self = .inspect(computesDigest: try json.requireBool("digest"))
      case "classify": self = .classify
      case "explain":
        self = .explain(
          recipe: try json.require("recipe"),
          includesPlan: try json.requireBool("plan")
        )
      case "compare":
        self = .compare(
          demosaics: try json.requireBool("demosaics"),
          threads: try json.requireInteger("threads")
        )
      case "statistics":
        self = .statistics(
          binCount: try json.optional("binCount") { (key) throws(JSONError) in
            try json.requireInteger(key)
          },
          threads: try json.requireInteger("threads")
        )
      case "thumbnail": self = .thumbnail(longEdge: try json.requireInteger("longEdge"))
      default: throw .unexpectedKind(key: "type", expected: "a request", found: type)
      }
    } catch {
      throw .malformed(error)
    }
  }
}
