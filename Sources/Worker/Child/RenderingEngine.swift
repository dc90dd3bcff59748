package import DNGFormat
internal import FileSystem
internal import ImageEncoding
package import JSON
internal import Raster
internal import Recipe
internal import Rendering

/// The image engine of the package behind the child's seam.
package struct RenderingEngine: ChildEngine {
  private let digestPolicy: DigestPolicy

  /// Raws whose samples don't have the digest that they state end as `digestPolicy` says.
  package init(digestPolicy: DigestPolicy = .error) {
    self.digestPolicy = digestPolicy
  }

  package func render(
    _ input: consuming [UInt8],
    inputName: String,
    recipe: JSONValue,
    sinks: [DescriptorSink],
    threads: Int,
    observer: ChildObserver
  ) throws(RemoteFailure) -> JSONValue {
    RenderingEngine.resetPeak()
    let recipe = try RenderingEngine.recipe(recipe)
    do throws(RenderError) {
      return try Renderer.render(
        consume input,
        inputName: inputName,
        recipe: recipe,
        sinks: sinks,
        scheduler: TileScheduler(laneCount: threads),
        digestPolicy: digestPolicy,
        observer: RenderObserver(
          stage: { observer.stage($0) },
          progress: { observer.progress($0) }
        )
      ).json
    } catch {
      throw RemoteFailure(error)
    }
  }

  package func inspect(
    _ input: consuming [UInt8],
    computesDigest: Bool
  ) throws(RemoteFailure) -> JSONValue {
    do throws(RenderError) {
      return try Renderer.inspect(
        input,
        computesDigest: computesDigest,
        scheduler: TileScheduler(laneCount: 1),
        digestPolicy: digestPolicy
      ).json
    } catch {
      throw RemoteFailure(error)
    }
  }

  package func explain(
    _ input: consuming [UInt8],
    recipe: JSONValue,
    includesPlan: Bool
  ) throws(RemoteFailure) -> JSONValue {
    let recipe = try RenderingEngine.recipe(recipe)
    do throws(RenderError) {
      return try Renderer.explain(input, recipe: recipe).json(includesPlan: includesPlan)
    } catch {
      throw RemoteFailure(error)
    }
  }

  package func compare(
    _ first: consuming [UInt8],
    _ second: consuming [UInt8],
    demosaics: Bool,
    threads: Int
  ) throws(RemoteFailure) -> JSONValue {
    do throws(RenderError) {
      return try Renderer.compare(
        first,
        second,
        demosaics: demosaics,
        scheduler: TileScheduler(laneCount: threads),
        digestPolicy: digestPolicy
      ).json
    } catch {
      throw RemoteFailure(error)
    }
  }

  package func statistics(
    _ input: consuming [UInt8],
    binCount: Int?,
    threads: Int
  ) throws(RemoteFailure) -> JSONValue {
    do throws(RenderError) {
      return try Renderer.statistics(
        input,
        binCount: binCount,
        scheduler: TileScheduler(laneCount: threads),
        digestPolicy: digestPolicy
      )
    } catch {
      throw RemoteFailure(error)
    }
  }

  package func thumbnail(
    _ file: consuming [UInt8],
    longEdge: Int
  ) throws(RemoteFailure) -> JSONValue {
    do throws(ThumbnailError) {
      let thumbnail = try Renderer.thumbnail(file, longEdge: longEdge)
      return [
        "width": JSONValue(thumbnail.size.width), "height": JSONValue(thumbnail.size.height),
        "jpeg": .string(Base64.encode(thumbnail.jpeg)),
      ]
    } catch {
      throw RemoteFailure(error)
    }
  }

  private static func recipe(_ json: JSONValue) throws(RemoteFailure) -> Recipe {
    do throws(RecipeError) {
      return try Recipe(json: json)
    } catch {
      throw RemoteFailure(error)
    }
  }

  /// Has the kernel count this process's largest resident size anew: a child renders many jobs.
  private static func resetPeak() {
    guard let file = try? FileDescriptor.open("/proc/self/clear_refs", .write) else { return }
    // Without it the peak is that of all jobs so far, which is still an upper bound.
    try? file.write(Array("5".utf8))
  }
}
