internal import Raster
internal import RawModel

extension OpcodeStages {
  /// The opcodes of the first lists that are applied, and all others, in words.
  static func sorted(
    _ description: RawDescription,
    _ settings: DevelopSettings,
    lists: Int
  ) -> (applied: [String], others: [String]) {
    var applied: [String] = []
    var others: [String] = []
    for list in 1...3 {
      for (opcode, fate) in fates(list: list, description, policy: settings.opcodePolicy) {
        let name = "OpcodeList\(list) \(opcode.operation.name)"
        if list <= lists, fate == .applied { applied.append(name) } else { others.append(name) }
      }
    }
    return (applied, others)
  }

  /// What the warps of OpcodeList3 say of the lens: those that a scene goes through, or, where it goes
  /// through none, those that the file has.
  static func optics(
    _ description: RawDescription,
    _ settings: DevelopSettings,
    isApplied: Bool
  ) throws(DevelopError) -> LensOptics? {
    let found = fates(list: 3, description, policy: settings.opcodePolicy).filter { opcode, _ in
      switch opcode.operation {
      case .warpRectilinear, .warpFisheye, .warpRectilinear2: true
      default: false
      }
    }
    let used = found.filter { $0.1 == .applied }.map(\.0.operation)
    let bounds = try bounds(description, policy: settings.opcodePolicy)
    return LensOptics(
      used.isEmpty ? found.prefix(1).map(\.0.operation) : used,
      bounds: bounds ?? Region(size: description.activeArea.size),
      isApplied: isApplied && !used.isEmpty
    )
  }
}
