import FoundationEssentials
import Testing

@testable import TideTest

@Suite struct `Tests that are tried again` {
  private let folder: SpecFolder

  init() throws {
    folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      """
      local count = 0
      before_each(function() count = count + 1 end)
      it('passes at last', function()
        print('try ' .. count)
        assert.equal(3, count)
      end)
      it('passes', function() end)
      """)
  }

  private func run(_ output: String, _ retries: Int = 2, lines: Bool = false) throws -> SpecResult {
    try folder.run(output) {
      $0.retries = retries
      $0.writesLines = lines
    }
  }

  @Test func `are told of as flaky, and are no failures`() throws {
    let result = try run("plainTerminal")
    #expect(result.isGood)
    #expect(
      result.text.hasPrefix("try 1\ntry 2\ntry 3\n++\n2 successes / 0 failures / 0 errors"),
      "\(result.text)")
    #expect(result.text.contains("\n1 flaky, which passed when tried again\n"))
    #expect(
      result.text.contains(
        "\nFlaky -> a_spec.lua @ 3\npasses at last\ntried 3 times\na_spec.lua:5: Expected objects"))
  }

  @Test func `are told of in each report`() throws {
    let expected = [
      ("TAP", "ok 1 - passes at last\n# flaky: tried 3 times; before: a_spec.lua:5: Expected"),
      ("TAP", "1..2\n# flaky: 1\n"), ("gtest", "ms, tried 3 times)\n"),
      (
        "gtest", "[  FLAKY   ] 1 test, listed below:\n[  FLAKY   ] a_spec.lua @ 3: passes at last\n"
      ),
      ("junit", "flakes='1'"), ("junit", "<flakyFailure>a_spec.lua:5: Expected"),
      ("json", "\"failedAttempts\":[\"a_spec.lua:5: Expected"), ("json", ",\"flaky\":1}"),
    ]
    for (report, text) in expected {
      let result = try run(report)
      #expect(result.isGood)
      #expect(result.text.contains(text), "\(report): \(result.text)")
    }
    let lines = try run("", lines: true).text
    #expect(
      lines.contains("\"flaky\":true,\"failedAttempts\":[\"a_spec.lua:5: Expected"), "\(lines)")
    #expect(lines.contains("\"seconds\":"))
    #expect(lines.contains(",\"flaky\":1,"))
  }

  @Test func `fail where they are not tried often enough`() throws {
    let result = try run("plainTerminal", 1)
    #expect(!result.isGood)
    #expect(result.text.contains("1 success / 1 failure / 0 errors"), "\(result.text)")
    #expect(result.text.contains("\n(tried 2 times)"))
    #expect(!result.text.contains("flaky"))
    #expect(try run("junit", 1).text.contains("<rerunFailure>"))
  }

  @Test func `are tried once without the flag`() throws {
    let result = try run("plainTerminal", 0)
    #expect(!result.isGood)
    #expect(!result.text.contains("try 2"))
    #expect(!result.text.contains("tried"))
  }

  @Test func `do not end a run that ends at the first failure`() throws {
    let result = try folder.run("TAP") {
      $0.retries = 2
      $0.keepsGoing = false
    }
    #expect(result.isGood)
    #expect(result.tests.count == 2)
  }
}

@Suite struct `Tests that failed last` {
  private let folder: SpecFolder

  init() throws {
    folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      "it('one', function() end)\ndescribe('b', function() it('two', function() error 'x' end) it('three', function() end) end)"
    )
    try folder.write("c_spec.lua", "it('four', function() error 'x' end)")
    try folder.write("d_spec.lua", "it('five', function() end)")
  }

  private func run(
    _ failed: FailedTests, _ configure: (inout TestOptions) -> Void
  ) throws -> (names: [String], failed: FailedTests, notices: [String]) {
    var options = TestOptions()
    options.roots = [folder.path]
    options.timeLimit = 60
    options.lastFailed = failed
    configure(&options)
    var names: [String] = []
    let report = Ends { names.append($0) }
    let run = SuiteRun(options, reporting: report)
    _ = try run.run()
    return (names, run.failedTests, run.notices)
  }

  private final class Ends: SpecReport {
    private let onEnd: (String) -> Void
    init(_ onEnd: @escaping (String) -> Void) { self.onEnd = onEnd }
    func take(_ event: SpecEvent) {
      if case .testEnd(let node, _) = event { onEnd(node.fullName) }
    }
  }

  @Test func `run alone, or first`() throws {
    let first = try run(FailedTests()) { _ in }
    #expect(first.names == ["one", "b two", "b three", "four", "five"])
    #expect(first.failed.files == ["\(folder.path)/a_spec.lua", "\(folder.path)/c_spec.lua"])
    let alone = try run(first.failed) { $0.runsOnlyFailed = true }
    #expect(alone.names == ["b two", "four"])
    #expect(alone.failed == first.failed)
    let before = try run(first.failed) { $0.runsFailedFirst = true }
    #expect(before.names == ["b two", "b three", "one", "four", "five"])
  }

  @Test func `leave when they pass, and stay when they did not run`() throws {
    let first = try run(FailedTests()) { _ in }
    try folder.write("c_spec.lua", "it('four', function() end)")
    let filtered = try run(first.failed) { $0.filters = ["five"] }
    #expect(filtered.failed == first.failed)
    let next = try run(first.failed) { $0.runsOnlyFailed = true }
    #expect(next.failed.files == ["\(folder.path)/a_spec.lua"])
    try folder.write("a_spec.lua", "it('two', function() end)")
    let last = try run(next.failed) { $0.runsOnlyFailed = true }
    #expect(last.names == [])
    #expect(last.failed.isEmpty)
    let none = try run(last.failed) { $0.runsOnlyFailed = true }
    #expect(none.names == ["two", "four", "five"])
    #expect(none.notices == ["no test failed in the last run, so all of them run"])
  }

  @Test func `are whole files where nobody knows which`() throws {
    try folder.write("d_spec.lua", "it('five', function() end) error 'x'")
    let first = try run(FailedTests()) { _ in }
    #expect(first.failed.files.contains("\(folder.path)/d_spec.lua"))
    try folder.write("d_spec.lua", "it('five', function() end)")
    #expect(try run(first.failed) { $0.runsOnlyFailed = true }.names == ["b two", "four", "five"])
  }

  @Test func `are read as they were written`() throws {
    let failed = try run(FailedTests()) { _ in }.failed
    #expect(FailedTests(failed.text) == failed)
    #expect(FailedTests("no JSON\n{}\n" + failed.text) == failed)
  }
}

@Suite struct `A run that is stopped` {
  @Test func `interrupts the test, and reports nothing more`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "it('turns', function() print 'begun' while true do end end)")
    try folder.write(
      "b_spec.lua",
      "it('waits', function() print 'begun' sleep(1e9) end)\nit('is next', function() end)")
    for jobs in [1, 2] {
      let stop = RunStop()
      var options = TestOptions()
      options.roots = [folder.path]
      options.timeLimit = 600
      options.jobs = jobs
      options.stop = stop
      var events: [String] = []
      let report = Stopping { event in
        switch event {
        case .output: stop.request()
        case .testStart, .fileStart, .suiteStart: break
        default: events.append("\(event)")
        }
      }
      _ = try SuiteRun(options, reporting: report).run()
      #expect(events == [])
    }
  }

  private final class Stopping: SpecReport {
    private let body: (SpecEvent) -> Void
    init(_ body: @escaping (SpecEvent) -> Void) { self.body = body }
    func take(_ event: SpecEvent) { body(event) }
  }
}
