internal import DNGFuzzing
internal import FileSystem
internal import TestSupport
import Testing

/// Inputs that the fuzzers (`deploy/fuzz`) found to reach new code, and those that once broke something.
@Suite struct FuzzCorpusTests {
  @Test("No input of the fuzzers' corpus breaks its target", arguments: FuzzTarget.allCases)
  func replay(target: FuzzTarget) throws {
    let folder = PackageFolder.path("Tests/FuzzCorpus/\(target.rawValue)")
    let names = try folder.directoryEntries().map(\.name)
    #expect(names.count > 50)
    for name in names {
      let fault = target.fault(try folder.appending(name).readAll())
      #expect(fault == nil, "\(name.displayText)")
    }
  }
}
