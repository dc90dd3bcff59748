/// A slow reader of lossless JPEG, bit by bit, that streams are checked with.
///
/// It follows the letter of ITU-T T.81 annex H and trusts its input.
struct NaiveLosslessJPEGDecoder {
  private(set) var precision = 0
  private(set) var rows = 0
  private(set) var columns = 0
  private(set) var components = 0
  private(set) var predictor = 0
  private(set) var samples: [Int] = []
  /// The code lengths and values of each table, in the order of the codes.
  private(set) var tables: [Int: [(length: Int, symbol: Int)]] = [:]

  init(_ bytes: [UInt8]) {
    var position = 2
    var tableOfComponent: [Int] = []
    while true {
      let marker = bytes[position + 1]
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let body = Array(bytes[(position + 4)..<(position + 2 + length)])
      position += 2 + length
      switch marker {
      case 0xC3:
        precision = Int(body[0])
        rows = Int(body[1]) << 8 | Int(body[2])
        columns = Int(body[3]) << 8 | Int(body[4])
        components = Int(body[5])
      case 0xC4:
        var table: [(Int, Int)] = []
        for length in 1...16 {
          for _ in 0..<body[length] { table.append((length, Int(body[17 + table.count]))) }
        }
        tables[Int(body[0])] = table
      case 0xDA:
        for component in 0..<Int(body[0]) {
          tableOfComponent.append(Int(body[2 + 2 * component] >> 4))
        }
        predictor = Int(body[1 + 2 * Int(body[0])])
        decode(Array(bytes[position...]), tableOfComponent)
        return
      default:
        return
      }
    }
  }

  private mutating func decode(_ bytes: [UInt8], _ tableOfComponent: [Int]) {
    var bits: [UInt8] = []
    var index = 0
    while !(bytes[index] == 0xFF && bytes[index + 1] != 0) {
      for bit in 0..<8 { bits.append(bytes[index] >> (7 - bit) & 1) }
      index += bytes[index] == 0xFF ? 2 : 1
    }
    var next = 0
    func take() -> Int {
      next += 1
      return Int(bits[next - 1])
    }
    func symbol(_ table: [(length: Int, symbol: Int)]) -> Int {
      var code = 0
      var length = 0
      var first = 0
      var start = 0
      while true {
        code = code << 1 | take()
        length += 1
        first <<= 1
        let count = table.count(where: { $0.length == length })
        if code - first < count { return table[start + code - first].symbol }
        first += count
        start += count
      }
    }
    let width = columns * components
    samples = [Int](repeating: 0, count: width * rows)
    for y in 0..<rows {
      for x in 0..<width {
        let category = symbol(tables[tableOfComponent[x % components]] ?? [])
        var difference = category == 16 ? 32_768 : 0
        if category > 0, category < 16 {
          for _ in 0..<category { difference = difference << 1 | take() }
          if difference < 1 << (category - 1) { difference -= (1 << category) - 1 }
        }
        func sample(_ dx: Int, _ dy: Int) -> Int { samples[(y - dy) * width + x - dx * components] }
        let prediction: Int
        switch (y == 0, x < components) {
        case (true, true): prediction = 1 << (precision - 1)
        case (true, false): prediction = sample(1, 0)
        case (false, true): prediction = sample(0, 1)
        case (false, false):
          let (a, b, c) = (sample(1, 0), sample(0, 1), sample(1, 1))
          switch predictor {
          case 1: prediction = a
          case 2: prediction = b
          case 3: prediction = c
          case 4: prediction = a + b - c
          case 5: prediction = a + ((b - c) >> 1)
          case 6: prediction = b + ((a - c) >> 1)
          default: prediction = (a + b) >> 1
          }
        }
        samples[y * width + x] = (prediction + difference) & 0xFFFF
      }
    }
    precondition(bits.count - next < 8 && bits[next...].allSatisfy { $0 == 1 }, "padding of ones")
  }
}
