internal import Raster
internal import RawModel

/// The GainMaps of OpcodeList2: lens shading, usually one map for each photosite of the Bayer cell.
///
/// A gain is bilinear between grid points, the grid being stretched over the active area with pixel
/// centres at (x + 0.5) / width; outside the grid the edge goes on. The result is clipped to the
/// linear range, 0 to 1 before white balance. DNG 1.7.1 chapter 7, "GainMap". Version 1.
struct GainMapStage: Sendable {
  let maps: [ResolvedGainMap]

  /// - Throws: `opcodeUnsupported` for any other opcode that is not optional, in any list.
  init(_ description: RawDescription) throws(DevelopError) {
    var maps: [ResolvedGainMap] = []
    for opcode in description.opcodeList2 {
      switch opcode.operation {
      case .gainMap(let map):
        maps.append(
          try ResolvedGainMap(
            map,
            size: description.activeArea.size
          )
        )
      case .other(let id, let name):
        guard opcode.isOptional else { throw .opcodeUnsupported(list: 2, id: id, name: name) }
      }
    }
    for (list, opcodes) in [(1, description.opcodeList1), (3, description.opcodeList3)] {
      for opcode in opcodes where !opcode.isOptional {
        switch opcode.operation {
        case .gainMap: throw .opcodeUnsupported(list: list, id: 9, name: "GainMap")
        case .other(let id, let name): throw .opcodeUnsupported(list: list, id: id, name: name)
        }
      }
    }
    self.maps = maps
  }

  /// The optional opcodes that are not applied, for the report: `OpcodeList3 WarpRectilinear`.
  static func skippedOpcodes(_ description: RawDescription) -> [String] {
    let lists = [
      (1, description.opcodeList1), (2, description.opcodeList2), (3, description.opcodeList3),
    ]
    return lists.flatMap { list, opcodes in
      opcodes.compactMap { opcode in
        switch opcode.operation {
        case .gainMap: list == 2 ? nil : "OpcodeList\(list) GainMap"
        case .other(_, let name): "OpcodeList\(list) \(name)"
        }
      }
    }
  }
}
