package import Digest

/// What makes two jobs the same work: one input state, one resolved recipe, one look, one place.
///
/// The SHA-256 of an unambiguous encoding of input root and path, size and modification time;
/// resolved recipe digest; pixel version; output paths. It is unique across batches.
package struct DedupeKey: Hashable, Sendable {
  package let digest: SHA256Digest

  package init(digest: SHA256Digest) {
    self.digest = digest
  }

  /// The key of a job.
  ///
  /// `resolvedRecipe` is the digest of the recipe with every setting that the input itself does not
  /// give, `pixelVersion` the version of the engine's output bytes; `outputs` stand in recipe order.
  package init(
    input: InputFile,
    resolvedRecipe: SHA256Digest,
    pixelVersion: Int,
    outputs: [PlannedOutput]
  ) {
    self.init(
      digest: SHA256.digest(
        of: Self.encoding(
          input: input,
          resolvedRecipe: resolvedRecipe,
          pixelVersion: pixelVersion,
          outputs: outputs
        )
      )
    )
  }

  /// The bytes that are hashed: a format tag, then fixed-width words and length-prefixed strings.
  package static func encoding(
    input: InputFile,
    resolvedRecipe: SHA256Digest,
    pixelVersion: Int,
    outputs: [PlannedOutput]
  ) -> [UInt8] {
    var encoding = KeyEncoding(tag: "rawmill.job.1")
    encoding.append(input.location)
    encoding.append(input.size)
    encoding.append(input.modificationNanoseconds)
    encoding.append(resolvedRecipe.bytes)
    encoding.append(Int64(pixelVersion))
    encoding.append(Int64(outputs.count))
    for output in outputs {
      encoding.append(Array(output.id.utf8))
      encoding.append(output.location)
    }
    return encoding.bytes
  }
}

extension DedupeKey: CustomStringConvertible {
  package var description: String { digest.hex }
}
