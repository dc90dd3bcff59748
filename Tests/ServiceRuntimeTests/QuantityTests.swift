import ServiceRuntime
import Testing

@Suite struct QuantityTests {
  @Test(
    arguments: [
      (0, 0, "0"), (0.5, 0, "1"), (-0.4, 0, "0"), (-1.25, 1, "-1.3"), (0.05, 2, "0.05"),
      (12.345, 2, "12.35"), (999.999, 2, "1000.00"), (0.004, 2, "0.00"),
    ] as [(Double, Int, String)]
  )
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(Quantity.fixed(value, decimals: decimals) == text)
  }

  @Test func numbersThatAreNone() {
    #expect(Quantity.fixed(.nan, decimals: 1) == "–")
    #expect(Quantity.rate(.infinity) == "–")
  }

  @Test(
    arguments: [
      (0, "0.00"), (0.123, "0.12"), (9.994, "9.99"), (9.996, "10.0"), (99.94, "99.9"),
      (99.96, "100"),
      (1234.5, "1235"),
    ] as [(Double, String)]
  )
  func rate(value: Double, text: String) {
    #expect(Quantity.rate(value) == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (12_345, "12.3 kB"), (99_949, "99.9 kB"),
      (99_951, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (25_000_000_000, "25.0 GB"),
      (.max, "9.2 EB"),
    ] as [(Int64, String)]
  )
  func bytes(count: Int64, text: String) {
    #expect(Quantity.bytes(count) == text)
  }

  @Test(
    arguments: [
      (.milliseconds(250), "0.25 s"), (.milliseconds(12_340), "12.3 s"), (.seconds(60), "1:00"),
      (.milliseconds(59_960), "1:00"), (.seconds(245), "4:05"), (.seconds(7_389), "2:03:09"),
      (.seconds(266_400), "3 d 02:00:00"),
    ] as [(Duration, String)]
  )
  func duration(duration: Duration, text: String) {
    #expect(Quantity.duration(duration) == text)
  }

  @Test func counts() {
    #expect(Quantity.count(1, "picture") == "1 picture")
    #expect(Quantity.count(0, "picture") == "0 pictures")
    #expect(Quantity.count(2, "match", plural: "matches") == "2 matches")
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
      (1_796_021_580_250_000_000, "2026-11-30T06:53:00.250Z"),
      (4_107_542_399_999_999_999, "2100-02-28T23:59:59.999Z"),
    ] as [(Int64, String)]
  )
  func timestamp(nanoseconds: Int64, text: String) {
    #expect(Timestamp.text(nanosecondsSince1970: nanoseconds) == text)
  }
}
