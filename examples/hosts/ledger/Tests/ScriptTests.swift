import Ledger
import TideTest
import Testing

/// Runs the specs of the scripts with what the program gives them.
@Test func `the scripts keep their specs`() async throws {
  let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
  let suite = SpecSuite("/\(folder)/spec") { runtime in try Household.furnish(runtime) }
  let summary = try await suite.run()
  #expect(summary.isGood, "\(summary)")
  #expect(summary.count(of: .success) == 2)
}
