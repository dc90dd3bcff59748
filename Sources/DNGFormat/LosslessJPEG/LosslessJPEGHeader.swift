/// What stands before the entropy-coded data of a lossless JPEG tile.
struct LosslessJPEGHeader {
  let shape: LosslessJPEGShape
  let predictor: LosslessJPEGPredictor
  /// Lines between restart markers; 0 without them.
  let restartRows: Int
  /// The table of each component.
  let tables: [HuffmanSpecification]
  /// Where the entropy-coded data starts in the file's bytes.
  let scanStart: Int
}
