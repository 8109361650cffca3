import Testing

@testable import TideTest

@Suite struct `Defaults of a project` {
  @Test func `the file .busted gives defaults, runs by name, and what holds for all`() throws {
    let folder = try SpecFolder()
    let file = try folder.write(
      ".busted",
      """
      return {
        _all = { verbose = true, tags = { "a,b", "c" } },
        default = { ROOT = { "spec" } },
        slow = { tags = "slow", ["repeat"] = "2" },
        wrong = { verbose = 3 },
      }
      """)
    let configuration = try #require(try BustedConfiguration.find(nil, in: folder.path))
    var options = TestOptions()
    try configuration.apply(to: &options, run: nil)
    #expect(options.isVerbose && options.tags == ["a", "b", "c"] && options.roots == ["spec"])
    options = TestOptions()
    try configuration.apply(to: &options, run: "slow")
    #expect(options.tags == ["slow"] && options.repeats == 2 && options.roots.isEmpty)
    #expect(throws: TestSetupError.self) { try configuration.apply(to: &options, run: "fast") }
    #expect(throws: TestSetupError.self) { try configuration.apply(to: &options, run: "wrong") }
    #expect(throws: TestSetupError.self) { try BustedConfiguration.find("nowhere", in: ".") }
    for text in ["return 1", "x = =", "error 'x'"] {
      try folder.write(".busted", text)
      #expect(throws: TestSetupError.self) { try BustedConfiguration.find(file, in: ".") }
    }
  }
}
