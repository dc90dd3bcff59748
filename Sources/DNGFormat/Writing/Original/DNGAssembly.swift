internal import TIFFContainer

/// Puts the directories of an output together: the original's, with a raw image coded anew and the
/// previews that are wanted.
struct DNGAssembly {
  /// What IFD 0 says of the whole file.
  private var file: IFDBuilder
  /// The image in IFD 0, where that is not the raw one.
  private let mainImage: IFDBuilder?
  /// The raw image's directory as it will be: kept tags, then the new ones.
  let raw: IFDBuilder
  /// Below IFD 0, and the chain behind it.
  private let children: [DNGOriginal.Image]
  private let chain: [DNGOriginal.Image]

  /// - Parameters:
  ///   - original: What is kept.
  ///   - dropped: Tags of the raw image that its new form makes wrong.
  ///   - defaults: Entries that are set where the raw image had none.
  ///   - coded: The new entries of the raw image's directory and its samples.
  init(
    _ original: DNGOriginal,
    dropping dropped: Set<TIFFTag>,
    defaults: IFDBuilder,
    coded: IFDBuilder
  ) {
    var main = original.chain[0]
    var raw: IFDBuilder
    if main.isRaw {
      raw = main.directory
      raw.keep(DNGTagSets.raw)
      for tag in DNGTagSets.raw.union(DNGTagSets.coding) { main.directory.remove(tag) }
      mainImage = nil
    } else {
      raw = original.chain.lazy.compactMap(\.raw).first?.directory ?? IFDBuilder()
      let imageTags = DNGTagSets.coding.union(DNGTagSets.preview).union([.iccProfile])
      var image = main.directory
      image.keep(imageTags)
      for tag in imageTags { main.directory.remove(tag) }
      mainImage = image
    }
    for tag in DNGTagSets.coding.union(dropped) { raw.remove(tag) }
    var complete = defaults
    complete.merge(raw)
    complete.merge(coded)
    self.raw = complete
    file = main.directory
    children = main.children
    chain = Array(original.chain.dropFirst())
  }

  /// Whether IFD 0 has the tag whatever its image is.
  func contains(_ tag: TIFFTag) -> Bool { file.contains(tag) }

  /// Changes what IFD 0 says of the whole file.
  mutating func changeFile(_ change: (inout IFDBuilder) -> Void) { change(&file) }

  /// The chain of directories with everything in its place, without those of which nothing is kept.
  func directories(_ previews: DNGPreviews) -> [IFDBuilder] {
    var main = file
    switch previews {
    case .kept:
      main.merge(mainImage ?? raw)
      main.set(.subIFDs, directories: children.map(builder))
      return [main] + chain.map(builder).filter { !$0.isEmpty }
    case .none:
      main.merge(raw)
      main.set(.subIFDs, directories: pruned(children).map(builder))
    case .rendered(let thumbnail, let others):
      main.merge(thumbnail.directory)
      main.set(
        .subIFDs,
        directories: [raw] + others.map(\.directory) + pruned(children).map(builder)
      )
    }
    return [main] + pruned(chain).map(builder).filter { !$0.isEmpty }
  }

  private func builder(_ image: DNGOriginal.Image) -> IFDBuilder {
    var directory = image.isRaw ? raw : image.directory
    directory.set(.subIFDs, directories: image.children.map(builder))
    return directory
  }

  /// The images without previews and without the raw one, which has got a place of its own; what hung
  /// from them moves up.
  private func pruned(_ images: [DNGOriginal.Image]) -> [DNGOriginal.Image] {
    images.flatMap { image -> [DNGOriginal.Image] in
      var image = image
      image.children = pruned(image.children)
      return image.isRaw || image.kind.isPreview ? image.children : [image]
    }
  }
}

extension DNGOriginal.Image {
  /// The raw image among this one and those below it.
  fileprivate var raw: DNGOriginal.Image? {
    isRaw ? self : children.lazy.compactMap(\.raw).first
  }
}
