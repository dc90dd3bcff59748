import Recipe
import Testing

@Suite struct RecipeProblemTests {
  private func lines(_ text: String, _ format: RecipeFormat = .yaml) -> [String] {
    do throws(RecipeError) {
      _ = try Recipe.parse(Array(text.utf8), format: format)
      return []
    } catch {
      return error.lines(file: "r")
    }
  }

  /// The problems of a recipe whose `develop` mapping (in line 2) is this text.
  private func develop(_ text: String) -> [String] {
    lines("recipe: 1\ndevelop: {\(text)}\noutputs: [heic: {}]")
  }

  private func outputs(_ text: String) -> [String] {
    lines("recipe: 1\noutputs: [\(text)]")
  }

  @Test(arguments: [
    ("exposre: 1", "r:2:11: develop.exposre: unknown key; did you mean exposure?"),
    (
      "exposure: 11",
      "r:2:21: develop.exposure: 11 is not valid; expected a number from -10 to 10 EV"
    ),
    (
      "exposure: '1'",
      "r:2:21: develop.exposure: expected a number from -10 to 10 EV, found the text \"1\""
    ),
    ("exposure: ", "r:2:21: develop.exposure: expected a number from -10 to 10 EV, found nothing"),
    (
      "exposure: [1]", "r:2:21: develop.exposure: expected a number from -10 to 10 EV, found a list"
    ),
    (
      "exposure: 0x1G",
      "r:2:21: develop.exposure: expected a number from -10 to 10 EV, found the text \"0x1G\""
    ),
    (
      "isGamutMappingEnabled: yes",
      "r:2:34: develop.isGamutMappingEnabled: expected true or false, found the text \"yes\""
    ),
    (
      "isGamutMappingEnabled: 1",
      "r:2:34: develop.isGamutMappingEnabled: expected true or false, found 1"
    ),
    (
      "sharpnessAmount: 2",
      "r:2:28: develop.sharpnessAmount: 2 is not valid; expected a number from 0 to 1"
    ),
    (
      "detailAmount: 3.5",
      "r:2:25: develop.detailAmount: 3.5 is not valid; expected a number from 0 to 3"
    ),
    (
      "extra: {lut: 3}",
      "r:2:24: develop.extra.lut: expected the path of a .cube file, relative to the recipe's folder, found 3"
    ),
    ("extra: 3", "r:2:18: develop.extra: expected a mapping of keys, found 3"),
    (
      "orientation: 9",
      "r:2:24: develop.orientation: 9 is not valid; expected 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8"
    ),
    (
      "extra: {crop: {left: 2}}",
      "r:2:32: develop.extra.crop.left: 2 is not valid; expected a number from 0 to 1"
    ),
    (
      "decoderVersion: 8DNG",
      "r:2:27: develop.decoderVersion: expected 2 or 1, found the text \"8DNG\""
    ),
    ("decoderVersion: 3", "r:2:27: develop.decoderVersion: 3 is not valid; expected 2 or 1"),
    (
      "neutralChromaticity: {x: 0.3}",
      "r:2:32: develop.neutralChromaticity: the key y is missing"
    ),
  ])
  func namesTheKeyThePlaceAndWhatIsValid(text: String, line: String) {
    #expect(develop(text) == [line])
  }

  @Test func whiteBalanceIsSaidInOneWay() {
    #expect(
      develop("neutralTemperature: 5000, neutralChromaticity: {x: 0.3, y: 0.3}") == [
        "r:2:37: develop.neutralChromaticity: cannot be combined with neutralTemperature; keep one of them"
      ]
    )
    #expect(
      develop("neutralLocation: {x: 3, y: 3}, neutralTint: 1").first
        == "r:2:11: develop.neutralLocation: cannot be combined with neutralTint; keep one of them"
    )
  }

  @Test(arguments: [
    ("heif: {}", "r:2:11: outputs[0].heif: unknown key; did you mean heic?"),
    (
      "jpeg: {quality: 0.5}",
      "r:2:11: outputs[0].jpeg: not supported yet; outputs are heic or tiff or dng or linear or statistics"
    ),
    (
      "heic: {bitDepth: 10}",
      "r:2:28: outputs[0].heic.bitDepth: not supported yet; valid now: 8"
    ),
    ("heic: {bitDepth: 9}", "r:2:28: outputs[0].heic.bitDepth: 9 is not valid; expected 8"),
    ("tiff: {bitDepth: 9}", "r:2:28: outputs[0].tiff.bitDepth: 9 is not valid; expected 8 or 16"),
    (
      "heic: {colorSpace: sRGB}",
      "r:2:30: outputs[0].heic.colorSpace: not supported yet; valid now: displayP3"
    ),
    (
      "heic: {colorSpace: P3}",
      "r:2:30: outputs[0].heic.colorSpace: the text \"P3\" is not valid; expected displayP3"
    ),
    (
      "heic: {quality: 1.01}",
      "r:2:27: outputs[0].heic.quality: 1.01 is not valid; expected a number from 0 to 1"
    ),
    (
      "dng: {bitDepth: 7}",
      "r:2:27: outputs[0].dng.bitDepth: 7 is not valid; expected source or 8 or 9 or 10 or 11 or 12 or 13 or 14 or 15 or 16 or float16 or float32"
    ),
    (
      "dng: {quality: 0.5}",
      "r:2:26: outputs[0].dng.quality: 0.5 does not go with compression losslessJPEG, which is lossless; valid: 1, or compression jpegXL or lossyJPEG"
    ),
    (
      "dng: {bitDepth: float16}",
      "r:2:16: outputs[0].dng.compression: losslessJPEG does not go with floating-point samples; valid: deflate or none"
    ),
    (
      "linear: {colorSpace: camera}",
      "r:2:32: outputs[0].linear.colorSpace: camera does not go with level scene, whose colours are those of a colour space; valid: another space, or level whiteBalanced"
    ),
    (
      "linear: {level: normalized, colorSpace: rec2020}",
      "r:2:51: outputs[0].linear.colorSpace: rec2020 does not go with level normalized, whose colours are the camera's; valid: camera, or level scene"
    ),
    (
      "linear: {mosaic: cfa}",
      "r:2:28: outputs[0].linear.mosaic: cfa does not go with level scene, whose pixels have three colours; valid: demosaiced, or another level"
    ),
    (
      "linear: {level: stored, mosaic: demosaiced}",
      "r:2:43: outputs[0].linear.mosaic: demosaiced does not go with level stored, whose codes have a black of their own; valid: cfa or planes, or level normalized"
    ),
    (
      "linear: {format: exr, sampleFormat: uint16}",
      "r:2:47: outputs[0].linear.sampleFormat: uint16 does not go with format exr, which has no such samples; valid: float32 or float16"
    ),
    (
      "linear: {format: dng}",
      "r:2:19: outputs[0].linear.level: scene does not go with format dng, whose samples are linear reference values; valid: normalized"
    ),
    (
      "linear: {format: dng, level: normalized, mosaic: cfa}",
      "r:2:60: outputs[0].linear.mosaic: cfa does not go with format dng, which is demosaiced here; valid: demosaiced, or an output dng with bitDepth float32, which keeps the mosaic"
    ),
    (
      "linear: {format: dng, level: normalized, sampleFormat: uint16}",
      "r:2:66: outputs[0].linear.sampleFormat: uint16 does not go with format dng, which is floating point here; valid: float32 or float16, or an output dng with linear true"
    ),
    (
      "linear: {level: linearized, sampleFormat: float16}",
      "r:2:53: outputs[0].linear.sampleFormat: float16 does not go with level linearized: 16-bit codes above 2048 have no exact value in it; valid: float32 or uint16"
    ),
    (
      "linear: {maximum: 4}",
      "r:2:29: outputs[0].linear.maximum: a scale does not go with samples that need none; valid: sampleFormat uint16 of another level"
    ),
    (
      "dng: {compression: deflate, bitDepth: 12}",
      "r:2:30: outputs[0].dng.compression: deflate does not go with integers of 8 to 16 bits, for which DNG doesn't have it; valid: losslessJPEG, none or jpegXL"
    ),
    (
      "dng: {linear: true, keepSmaller: true}",
      "r:2:44: outputs[0].dng.keepSmaller: true does not go with linear, whose samples a copy of a mosaic doesn't have; valid: one of both"
    ),
    ("heic: {longEdge: 2048}", "r:2:28: outputs[0].heic.longEdge: not supported yet"),
    (
      "heic: {suffix: a/b}",
      "r:2:26: outputs[0].heic.suffix: the text \"a/b\" is not valid; expected text of at most 100 bytes without / and control characters"
    ),
    (
      "heic: {id: 1st}",
      "r:2:22: outputs[0].heic.id: the text \"1st\" is not valid; expected a letter and up to 63 letters, digits, _ or -"
    ),
    (
      "heic: {qualty: 1}", "r:2:18: outputs[0].heic.qualty: unknown key; did you mean quality?"
    ),
    ("heic: ", "r:2:17: outputs[0].heic: expected a mapping of keys, found nothing"),
    (
      "heic",
      "r:2:11: outputs[0]: expected a mapping of one kind to its settings, such as heic: {quality: 0.9}, found the text \"heic\""
    ),
    (
      "heic: {}, heic: {quality: 0.5}",
      "r:2:21: outputs[1].heic: writes the same file as outputs[0].heic ({name}.heic); give one of them a suffix"
    ),
    (
      "statistics: {}, statistics: {id: b, suffix: _b}",
      "r:2:27: outputs[1].statistics: a second statistics output does not go with outputs[0].statistics; a raw has one set of statistics"
    ),
    (
      "heic: {id: a}, tiff: {id: a}",
      "r:2:26: outputs[1].tiff: has the id a of outputs[0].heic; ids must differ"
    ),
    ("", "r:2:10: outputs: empty; expected at least one output"),
  ])
  func outputsAreChecked(text: String, line: String) {
    #expect(outputs(text) == [line])
  }

  /// A linear TIFF has the name of one to be seen, and the record of one has the name of another's.
  @Test func filesBesideOutputsHaveNamesToo() {
    #expect(outputs("linear: {}, tiff: {}").count == 1)
    #expect(outputs("linear: {}, tiff: {suffix: _view}").isEmpty)
    #expect(outputs("linear: {}, linear: {format: exr}").isEmpty)
    let clash = outputs("linear: {format: npy, id: a}, linear: {format: npy, id: b}")
    #expect(clash.count == 1 && clash[0].contains(".npy"))
  }

  @Test func allProblemsAreReportedAtOnce() {
    let text = """
      recipe: 2
      nmae: x
      develop:
        exposre: 1
        boostAmount: 2
        shadowBias: -1
      outputs:
        - heic: {quality: high}
        - jpeg: {}
      """
    #expect(
      lines(text) == [
        "r:2:1: nmae: unknown key; did you mean name?",
        "r:1:9: recipe: version 2 is unknown; this rawmill reads version 1",
        "r:4:3: develop.exposre: unknown key; did you mean exposure?",
        "r:5:16: develop.boostAmount: 2 is not valid; expected a number from 0 to 1",
        "r:6:15: develop.shadowBias: -1 is not valid; expected a number from 0 to 100",
        "r:8:21: outputs[0].heic.quality: expected a number from 0 to 1, found the text \"high\"",
        "r:9:5: outputs[1].jpeg: not supported yet; outputs are heic or tiff or dng or linear or statistics",
      ]
    )
  }

  @Test(arguments: [
    ("", "r:1:1: the recipe is empty"),
    ("# only a comment\n", "r:2:1: the recipe is empty"),
    ("x", "r:1:1: recipe: expected a mapping of keys, found the text \"x\""),
    ("recipe: 1", "r:1:1: recipe: the key outputs is missing"),
    ("outputs: [heic: {}]", "r:1:1: recipe: the key recipe is missing"),
    ("recipe: &a 1", "r:1:9: anchors are not allowed"),
    ("recipe: *a", "r:1:9: aliases are not allowed"),
    ("recipe: !!int 1", "r:1:9: tags are not allowed"),
    ("%TAG ! tag:x,2000:\n---\nrecipe: 1", "r:1:1: tags are not allowed"),
    ("%YAML 1.1\n---\nrecipe: 1", "r:1:1: recipes are YAML 1.2; the text says %YAML 1.1"),
    ("recipe: 1\nrecipe: 1", "r:2:1: the key \"recipe\" stands twice; first in line 1"),
    ("recipe: 1\n---\nrecipe: 1", "r:2:1: a second document is not allowed"),
    ("? [a]\n: 1", "r:1:3: a key must be a plain word, without anchor, alias or tag"),
    ("recipe: .inf", "r:1:9: recipe: .inf is not valid; expected a finite number"),
    ("recipe: 1e999", "r:1:9: recipe: 1e999 is not valid; expected a finite number"),
    (
      "outputs: [{heic: {quality: -.inf}}]",
      "r:1:28: outputs[0].heic.quality: -.inf is not valid; expected a finite number"
    ),
    (
      "recipe: [1",
      "r:2:1: did not find expected ',' or ']' while parsing a flow sequence"
    ),
  ])
  func whatIsNoRecipeIsRefused(text: String, line: String) {
    #expect(lines(text) == [line])
  }

  @Test func jsonHasPlacesToo() {
    #expect(
      lines(
        "{\"recipe\": 1,\n \"develop\": {\"exposure\": 20},\n \"outputs\": [{\"heic\": {}}]}",
        .json
      )
        == ["r:2:26: develop.exposure: 20 is not valid; expected a number from -10 to 10 EV"]
    )
    #expect(
      lines("{\"recipe\": 1,\n \"recipe\": 1}", .json) == ["r:2:2: the key \"recipe\" stands twice"]
    )
  }

  @Test func sizesHaveLimits() {
    #expect(
      lines(String(repeating: "#", count: 1 << 20 + 1)) == [
        "r: the recipe has 1048577 bytes; the limit is 1048576"
      ]
    )
    let deep = String(repeating: "[", count: 10_000)
    #expect(lines(deep).first?.contains("nest deeper than 16 levels") == true)
    #expect(lines(deep, .json).first?.contains("nest deeper than 16 levels") == true)
    let many = Array(repeating: "{heic: {}}", count: 33).joined(separator: ", ")
    #expect(outputs(many) == ["r:2:10: outputs: more than 32 are too many"])
    #expect(develop((0..<1000).map { "k\($0): 1" }.joined(separator: ", ")).count == 50)
  }

  @Test func otherEncodingsAreRefused() {
    let utf16: [UInt8] = [0xFF, 0xFE] + Array("recipe: 1".utf8).flatMap { [$0, 0] }
    #expect(throws: RecipeError.notUTF8) { try Recipe.parse(utf16, format: .yaml) }
  }

  /// Mutated recipes end in a recipe or an error.
  @Test func anyTextEndsInARecipeOrAnError() {
    let seedText = Array(
      "recipe: 1\ndevelop: {exposure: 1.5, boostAmount: 0}\noutputs:\n  - heic: {quality: 0.5}\n"
        .utf8
    )
    let alphabet = Array("{}[]:,-&*!|>'\"%@`#\t\n 01.eE~?\\\u{E9}".utf8)
    var state: UInt64 = 0xF022
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    var accepted = 0
    for _ in 0..<3_000 {
      var text = seedText
      for _ in 0...next(4) {
        switch next(3) {
        case 0: text[next(text.count)] = alphabet[next(alphabet.count)]
        case 1: text.insert(alphabet[next(alphabet.count)], at: next(text.count))
        default: text.remove(at: next(text.count))
        }
      }
      let formats = [RecipeFormat.yaml, .json]
      accepted += formats.count { (try? Recipe.parse(text, format: $0)) != nil }
    }
    #expect(accepted > 20)
  }
}
