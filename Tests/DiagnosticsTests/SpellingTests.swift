import Diagnostics
import Testing

@Suite struct SpellingTests {
  @Test(arguments: [
    ("exposre", "exposure"), ("EXPOSURE", "exposure"), ("exopsure", "exposure"),
    ("colourSpace", "colorSpace"), ("boostShadow", "boostShadowAmount"),
    ("shadowbias", "shadowBias"),
    ("x", nil), ("", nil), ("entirelyDifferent", nil), ("qualiti", "quality"),
  ])
  func findsTheNearestWord(typed: String, expected: String?) {
    let valid = ["exposure", "colorSpace", "boostShadowAmount", "shadowBias", "quality", "id"]
    #expect(Spelling.nearest(to: typed, among: valid) == expected)
  }

  @Test func longWordsCostNothing() {
    let word = String(repeating: "x", count: 1_000_000)
    #expect(Spelling.nearest(to: word, among: [word]) == nil)
  }
}
