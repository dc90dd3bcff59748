/// What stands before the entropy-coded data of a lossless JPEG tile.
struct LosslessJPEGHeader {
  let shape: LosslessJPEGShape
  let predictor: LosslessJPEGPredictor
  /// Lines between restart markers; 0 without them.
  let restartRows: Int
  /// The tables in use.
  let tables: [HuffmanSpecification]
  /// The table of each component, as an index into `tables`.
  let tableIndices: [Int]
  /// Where the entropy-coded data starts in the file's bytes.
  let scanStart: Int
}
