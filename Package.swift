// swift-tools-version: 6.2
import PackageDescription

#if arch(x86_64)
// The pixel kernels gain 1.1x to 2x from AVX2 and BMI2; CProcessorCheck tells older processors so
// before the first instruction that they lack.
let codeGeneration: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-march=x86-64-v3"])]
#else
let codeGeneration: [SwiftSetting] = []
#endif

// Settings of every Swift target. The upcoming features keep imports honest: a module that is used
// is a module that is imported, and nothing leaks through an interface by accident.
let swiftSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ] + codeGeneration

/// The commit that is built, for provenance rows.
let sourceRevision: String = {
  guard let git = Context.gitInformation else { return "unknown" }
  return git.currentCommit + (git.hasUncommittedChanges ? "+" : "")
}()

/// A library of the package, in the layer order of the architecture guide.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// The tests of one module; they see what the package sees, never private parts.
func tests(_ module: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: module + "Tests",
    dependencies: [.init(stringLiteral: module)] + dependencies,
    swiftSettings: swiftSettings
  )
}

/// A C library of Debian: `module.modulemap` and `shim.h` in `Sources/<name>/include`.
func clibrary(_ name: String, linking library: String) -> Target {
  .target(name: name, linkerSettings: [.linkedLibrary(library)])
}

let package = Package(
  name: "rawmill",
  products: [
    .executable(name: "rawmill", targets: ["rawmill"]),
    .executable(name: "rawmill-bench", targets: ["rawmill-bench"]),
  ],
  targets: [
    // C
    .target(name: "CLanes"),
    .target(name: "CLinux"),
    .target(name: "CProcessorCheck"),
    .target(
      name: "CBuildInformation",
      cSettings: [.define("RAWMILL_SOURCE_REVISION", to: "\"\(sourceRevision)\"")]
    ),
    clibrary("CLibCURL", linking: "curl"),
    clibrary("CLibCrypto", linking: "crypto"),
    clibrary("CLibHEIF", linking: "heif"),
    clibrary("CLibJPEG", linking: "jpeg"),
    clibrary("CLibJXL", linking: "jxl"),
    clibrary("CLibOpenEXR", linking: "OpenEXRCore"),
    clibrary("CLibPQ", linking: "pq"),
    clibrary("CLibTIFF", linking: "tiff"),
    clibrary("CLibYAML", linking: "yaml"),
    clibrary("CLittleCMS", linking: "lcms2"),
    clibrary("CMicroHTTPD", linking: "microhttpd"),
    clibrary("CZlib", linking: "z"),

    // Ground
    module("Diagnostics"),
    module("JSON", ["Diagnostics"]),
    module("FileSystem", ["Diagnostics", "CLinux"]),
    module("ProcessControl", ["Diagnostics", "FileSystem", "CLinux"]),
    module("Digest", ["CLibCrypto"]),

    // Image engine
    module("Raster", ["Diagnostics"]),
    module("ColorScience"),
    module("TIFFContainer", ["Diagnostics"]),
    module("JPEGCodec", ["Diagnostics", "Raster", "CLibJPEG"]),
    module("JPEGXLCodec", ["Diagnostics", "Raster", "CLibJXL"]),
    module("RawModel", ["Raster", "ColorScience"]),
    module("Recipe", ["Diagnostics", "JSON", "ColorScience", "Digest", "CLibYAML"]),
    module(
      "DNGFormat",
      [
        "Diagnostics", "Raster", "RawModel", "ColorScience", "TIFFContainer", "JPEGCodec",
        "JPEGXLCodec", "Digest", "CZlib",
      ]
    ),
    module("RawDecoding", ["Diagnostics", "Raster", "RawModel", "TIFFContainer", "DNGFormat"]),
    module(
      "Develop",
      ["Diagnostics", "JSON", "Raster", "ColorScience", "RawModel", "Recipe", "CLanes"]
    ),
    module("SceneStatistics", ["Diagnostics", "JSON", "Raster", "ColorScience", "RawModel"]),
    module(
      "ImageEncoding",
      [
        "Diagnostics", "Raster", "ColorScience", "TIFFContainer", "CLibHEIF", "CLibOpenEXR",
        "CLibTIFF", "CLittleCMS",
      ]
    ),
    module(
      "Rendering",
      [
        "Diagnostics", "JSON", "Raster", "ColorScience", "RawModel", "Recipe", "Digest",
        "RawDecoding", "DNGFormat", "Develop", "SceneStatistics", "ImageEncoding", "JPEGCodec",
        "TIFFContainer", "CBuildInformation",
      ]
    ),
    module("HistogramPlot", ["ColorScience"]),
    module("SampleScene", ["Raster", "ColorScience", "RawModel", "TIFFContainer", "DNGFormat"]),

    // Queue
    module("JobModel", ["Diagnostics", "JSON", "FileSystem", "Digest", "Recipe"]),
    module("PostgresClient", ["Diagnostics", "CLibPQ"]),
    module(
      "JobStore",
      ["Diagnostics", "JSON", "FileSystem", "JobModel", "PostgresClient", "Digest"]
    ),
    module(
      "EmbeddedPostgres",
      ["Diagnostics", "FileSystem", "ProcessControl", "PostgresClient", "CLinux"]
    ),

    // Program
    module("HTTP", ["Diagnostics", "Digest", "CMicroHTTPD", "CLibCURL"]),
    module("ServiceRuntime", ["Diagnostics", "JSON", "FileSystem", "CLinux"]),
    module(
      "Worker",
      [
        "Diagnostics", "JSON", "FileSystem", "ProcessControl", "Digest", "Raster", "Recipe",
        "DNGFormat", "RawDecoding", "ImageEncoding", "Rendering", "JobModel", "JobStore",
        "PostgresClient", "ServiceRuntime", "CLinux",
      ]
    ),
    // Above Worker: files are classified in its child process.
    module(
      "Discovery",
      [
        "Diagnostics", "JSON", "FileSystem", "Digest", "JobModel", "Recipe", "Rendering", "Worker",
      ]
    ),
    // What people see of the farm: screens, reports, estimates. Of ColorScience it takes the
    // trigonometry that gives the same bits on every processor.
    module(
      "Reporting",
      [
        "Diagnostics", "JSON", "FileSystem", "Digest", "ColorScience", "JobModel", "JobStore",
        "ServiceRuntime",
      ]
    ),
    .executableTarget(
      name: "rawmill",
      dependencies: [
        "CProcessorCheck", "Diagnostics", "JSON", "FileSystem", "Digest", "Raster", "ColorScience",
        "RawModel", "Recipe", "DNGFormat", "RawDecoding", "Develop", "ImageEncoding", "Rendering",
        "SampleScene", "HistogramPlot", "JobModel", "PostgresClient", "JobStore",
        "EmbeddedPostgres", "HTTP", "ServiceRuntime", "Discovery", "Worker", "ProcessControl",
        "Reporting",
      ],
      swiftSettings: swiftSettings
    ),
    .executableTarget(
      name: "rawmill-bench",
      dependencies: [
        "CProcessorCheck", "Diagnostics", "JSON", "FileSystem", "Digest", "Raster", "ColorScience",
        "RawModel", "Recipe", "DNGFormat", "RawDecoding", "Develop", "SceneStatistics",
        "ImageEncoding", "Rendering",
        "SampleScene", "JobModel", "PostgresClient", "JobStore", "EmbeddedPostgres",
        "ServiceRuntime", "ProcessControl",
      ],
      swiftSettings: swiftSettings
    ),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: ["FileSystem", "JSON", "ProcessControl"],
      path: "Tests/TestSupport",
      swiftSettings: swiftSettings
    ),
    .target(
      name: "DNGFuzzing",
      dependencies: ["DNGFormat", "Raster", "RawModel", "TIFFContainer"],
      path: "Tests/DNGFuzzing",
      swiftSettings: swiftSettings
    ),
    .target(
      name: "FaultHistory",
      dependencies: ["JSON"],
      path: "Tests/FaultHistory",
      swiftSettings: swiftSettings
    ),
    tests("FaultHistory"),
    // The fault suite runs the real program; it is no product, and deploy/test runs it.
    .executableTarget(
      name: "rawmill-faults",
      dependencies: [
        "CLinux", "Diagnostics", "JSON", "FileSystem", "Digest", "ProcessControl", "PostgresClient",
        "JobModel", "JobStore", "Raster", "SampleScene", "FaultHistory",
      ],
      path: "Tests/FaultSuite",
      swiftSettings: swiftSettings
    ),
    tests("Diagnostics"),
    .target(
      name: "DatabaseTestSupport",
      dependencies: [
        "TestSupport", "FileSystem", "PostgresClient", "EmbeddedPostgres", "JobStore",
      ],
      path: "Tests/DatabaseTestSupport",
      swiftSettings: swiftSettings
    ),
    tests("JSON", ["Diagnostics"]),
    tests("FileSystem", ["Diagnostics", "ProcessControl", "TestSupport"]),
    tests("ProcessControl", ["CLinux", "Diagnostics", "FileSystem", "TestSupport"]),
    tests("Digest"),
    tests("Raster", ["Diagnostics"]),
    tests("ColorScience"),
    tests("TIFFContainer", ["Diagnostics", "TestSupport"]),
    tests("JPEGCodec", ["Diagnostics", "Raster"]),
    tests("JPEGXLCodec", ["Diagnostics", "Raster"]),
    tests("RawModel", ["ColorScience", "Raster"]),
    tests("Recipe", ["Diagnostics", "Digest", "FileSystem", "JSON", "TestSupport"]),
    tests(
      "DNGFormat",
      [
        "Diagnostics", "Raster", "RawModel", "ColorScience", "TIFFContainer", "JPEGCodec",
        "JPEGXLCodec", "Digest", "DNGFuzzing", "FileSystem", "ProcessControl", "TestSupport",
      ]
    ),
    tests("RawDecoding", ["Diagnostics", "DNGFormat", "RawModel", "Raster", "TestSupport"]),
    tests(
      "Develop",
      [
        "Diagnostics", "JSON", "FileSystem", "Raster", "ColorScience", "RawModel", "Recipe",
        "DNGFormat", "TestSupport",
      ]
    ),
    tests(
      "SceneStatistics",
      ["ColorScience", "Diagnostics", "Raster", "RawModel", "TestSupport"]
    ),
    tests("HistogramPlot", ["FileSystem", "TestSupport"]),
    tests(
      "ImageEncoding",
      [
        "Diagnostics", "JSON", "FileSystem", "Digest", "Raster", "TIFFContainer", "TestSupport",
      ]
    ),
    tests(
      "Rendering",
      [
        "Diagnostics", "JSON", "Digest", "Raster", "ColorScience", "RawModel", "DNGFormat",
        "Recipe",
        "RawDecoding", "Develop", "ImageEncoding", "JPEGCodec", "SampleScene", "FileSystem",
        "TestSupport",
      ]
    ),
    tests(
      "SampleScene",
      [
        "Raster", "ColorScience", "RawModel", "DNGFormat", "Digest", "FileSystem", "ProcessControl",
        "TestSupport",
      ]
    ),
    tests(
      "JobModel",
      ["Diagnostics", "JSON", "FileSystem", "Digest", "Recipe", "TestSupport"]
    ),
    tests("PostgresClient", ["Diagnostics", "DatabaseTestSupport"]),
    tests(
      "JobStore",
      [
        "Diagnostics", "Digest", "JSON", "FileSystem", "JobModel", "PostgresClient",
        "SceneStatistics", "EmbeddedPostgres", "DatabaseTestSupport", "TestSupport",
      ]
    ),
    tests(
      "EmbeddedPostgres",
      ["Diagnostics", "FileSystem", "PostgresClient", "ProcessControl", "TestSupport"]
    ),
    tests("HTTP", ["Diagnostics", "TestSupport"]),
    tests("ServiceRuntime", ["Diagnostics", "JSON", "FileSystem", "TestSupport"]),
    tests(
      "Reporting",
      [
        "Diagnostics", "Digest", "FileSystem", "JSON", "JobModel", "ServiceRuntime", "TestSupport",
      ]
    ),
    tests(
      "Discovery",
      [
        "Diagnostics", "JSON", "FileSystem", "JobModel", "Recipe", "Rendering", "Worker",
        "TestSupport",
      ]
    ),
    tests(
      "Worker",
      [
        "Diagnostics", "JSON", "FileSystem", "ProcessControl", "Digest", "JobModel", "JobStore",
        "PostgresClient", "EmbeddedPostgres", "ImageEncoding", "Rendering", "Recipe",
        "TestSupport", "DatabaseTestSupport", "Raster", "SampleScene",
      ]
    ),
    .testTarget(
      name: "BenchTests",
      dependencies: [
        "TestSupport", "FileSystem", "JSON", "ProcessControl", "Raster", "SampleScene",
        "rawmill-bench",
      ],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport", "FileSystem", "JSON", "Digest", "ProcessControl", "Raster", "SampleScene",
        "PostgresClient", "EmbeddedPostgres", "TIFFContainer", "rawmill",
      ],
      swiftSettings: swiftSettings
    ),
  ],
  swiftLanguageModes: [.v6]
)

// `RAWMILL_TESTS="Develop Recipe"` leaves only these modules' tests, so that
// `swift build --product rawmillPackageTests` builds just what they need.
if let chosen = Context.environment["RAWMILL_TESTS"] {
  let names = Set(chosen.split(separator: " ").map { String($0) + "Tests" })
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// `RAWMILL_FUZZ=1` adds the fuzzers, which need the runtime that `-sanitize=fuzzer` links: deploy/fuzz.
if Context.environment["RAWMILL_FUZZ"] != nil {
  package.targets.append(.target(name: "CLibFuzzer", path: "Tests/CLibFuzzer"))
  for name in ["FuzzDNGReader", "FuzzLosslessJPEG"] {
    package.targets.append(
      .executableTarget(
        name: name,
        dependencies: ["CLibFuzzer", "DNGFuzzing"],
        path: "Tests/" + name,
        swiftSettings: swiftSettings
      )
    )
  }
}
