import EditedRecords
import FoundationEssentials
import Fuzzing
import Testing

@testable import TideTest

/// The law of edited records by what specs have for a person: `ui`.
@Suite struct SpecRecordLawTests {
  private static let header = #"local WORLD, FIRST, LAST = "selection", 1, 3"#

  /// Plays every world with some seeds; nil when all is well.
  private func fault(seeds: ClosedRange<Int>) throws -> String? {
    let folder = try SpecFolder()
    try folder.write("app.lua", try Data(contentsOf: RecordLaw.script))
    let spec = try String(contentsOf: RecordLaw.spec, encoding: .utf8)
    try #require(spec.contains(Self.header))
    for world in RecordLaw.worlds {
      let header =
        "local WORLD, FIRST, LAST = \"\(world)\", \(seeds.lowerBound), \(seeds.upperBound)"
      try folder.write("spec/\(world)_spec.lua", spec.replacing(Self.header, with: header))
    }
    let result = try folder.run()
    return result.isGood ? nil : result.text
  }

  @Test func `holds for random people and programs`() throws {
    var seed = FuzzRun.isSearch ? Int.random(in: 1...1 << 40) : 1
    var run = FuzzRun("records", stepsInSuite: 1)
    while run.goesOn() {
      // What fails is repeated by its seed, which the name of the test tells.
      let found = try fault(seeds: seed...seed + 2)
      #expect(found == nil)
      if found != nil { return }
      seed += 3
    }
  }
}
