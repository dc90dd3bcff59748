/// Letters of 5 by 9 pixels for plots without a font library: printable ASCII, two rows below the line.
enum BitmapFont {
  static let width = 5
  /// From one letter to the next.
  static let advance = 6
  /// Rows above the line that letters stand on.
  static let baseline = 7
  private static let height = 9

  /// Rows from the top, a digit of base 32 each: its highest bit is the left pixel.
  ///
  /// Rows that are missing are empty.
  private static let rows: [Unicode.Scalar: String] = [
    " ": "", "!": "4444404", "\"": "aa", "#": "aavavaa", "%": "op248j3", "&": "cik8lid", "'": "448",
    "(": "2488842", ")": "8422248", "*": "04lel4", "+": "044v44", ",": "00000c48", "-": "000v",
    ".": "00000cc", "/": "01248g", "0": "ehjlphe", "1": "4c4444e", "2": "eh1248v", "3": "v2421he",
    "4": "26aiv22", "5": "vgu11he", "6": "68guhhe", "7": "v124888", "8": "ehhehhe", "9": "ehhf12c",
    ":": "0cc0cc", ";": "0cc0c48", "<": "248g842", "=": "00v0v", ">": "8421248", "?": "eh12404",
    "@": "ehnlnge", "A": "ehhvhhh", "B": "uhhuhhu", "C": "ehggghe", "D": "uhhhhhu", "E": "vgguggv",
    "F": "vgguggg", "G": "ehgnhhf", "H": "hhhvhhh", "I": "e44444e", "J": "72222ic", "K": "hikokih",
    "L": "ggggggv", "M": "hrllhhh", "N": "hhpljhh", "O": "ehhhhhe", "P": "uhhuggg", "Q": "ehhhlid",
    "R": "uhhukih", "S": "fgge11u", "T": "v444444", "U": "hhhhhhe", "V": "hhhhha4", "W": "hhhllla",
    "X": "hha4ahh", "Y": "hhha444", "Z": "v1248gv", "[": "e88888e", "\\": "0g8421", "]": "e22222e",
    "^": "4ah", "_": "0000000v", "`": "842", "a": "00e1fhf", "b": "ggmphhu", "c": "00egghe",
    "d": "11djhhf", "e": "00ehvge", "f": "698s888", "g": "00fhhhf1e", "h": "ggmphhh",
    "i": "40c444e", "j": "2062222ic", "k": "ggikoki", "l": "c44444e", "m": "00qllhh",
    "n": "00mphhh", "o": "00ehhhe", "p": "00uhhhugg", "q": "00fhhhf11", "r": "00mpggg",
    "s": "00ege1u", "t": "88s8896", "u": "00hhhjd", "v": "00hhha4", "w": "00hhlla", "x": "00ha4ah",
    "y": "00hhhhf1e", "z": "00v248v", "{": "2448442", "|": "4444444", "}": "8442448", "~": "008l2",
  ]

  /// The rows of a letter, five bits each; a box for what the font does not have.
  static func glyph(_ scalar: Unicode.Scalar) -> [UInt8] {
    let digits = rows[scalar] ?? "vhhhhhv"
    let bits = digits.utf8.map { digit -> UInt8 in
      digit >= UInt8(ascii: "a") ? digit - UInt8(ascii: "a") + 10 : digit - UInt8(ascii: "0")
    }
    return bits + Array(repeating: 0, count: max(0, height - bits.count))
  }
}
