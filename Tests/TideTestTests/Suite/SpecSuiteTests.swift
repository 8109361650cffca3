import Synchronization
import Testing
import TideBindings
import TideGraph
import TideScript
import TideTest

/// What hosts run from their own tests.
@Suite struct `Suites of hosts` {
  final class Account: DataObject {
    @Property var balance = 10
  }

  private func suite(
    in folder: SpecFolder, prepare: @escaping @Sendable (Runtime) throws -> Void = { _ in }
  ) -> SpecSuite {
    var suite = SpecSuite(folder.path, prepare: prepare)
    // A busy machine may take its time.
    suite.timeLimit = .seconds(60)
    return suite
  }

  @Test func `specs see the host's models and functions, anew in each file`() async throws {
    let folder = try SpecFolder()
    for name in ["a", "b"] {
      try folder.write(
        "spec/\(name)_spec.lua",
        """
        it("pays", function()
          assert.equal(10, models.account.balance)
          models.account.balance = models.account.balance - fee(4)
          assert.equal(8, models.account.balance)
        end)
        """)
    }
    var suite = suite(in: folder) { runtime in
      try runtime.register("account", Account())
      try runtime.register("fee") { (parts: Int) in parts / 2 }
    }
    suite.jobs = 2
    let summary = try await suite.run()
    #expect(summary.isGood, "\(summary)")
    #expect(summary.results.map(\.name) == ["pays", "pays"])
    #expect(summary.results.map(\.line) == [1, 1])
    #expect(summary.results.map { $0.file.hasSuffix("_spec.lua") } == [true, true])
    #expect(summary.count(of: .success) == 2)
  }

  @Test func `an app is driven with what the host registers`() async throws {
    let folder = try SpecFolder()
    try folder.write(
      "app.lua",
      """
      return view.column {
        view.label { id = "shown", bindTo = { text = "account.balance" } },
        view.button { id = "pay", title = "Pay",
          on = { touchUpInside = function() models.account.balance = 3 end } },
      }
      """)
    try folder.write(
      "spec/app_spec.lua",
      """
      it("shows what is left", function()
        ui.mount "app.lua"
        ui.tap "pay"
        assert.equal("3", views.shown.text)
      end)
      """)
    let summary = try await suite(in: folder) { try $0.register("account", Account()) }.run()
    #expect(summary.isGood, "\(summary)")
  }

  @Test func `what failed is told with its reason, and as people read it`() async throws {
    let folder = try SpecFolder()
    try folder.write(
      "spec/a_spec.lua",
      """
      it("holds", function() print "seen" end)
      describe("an account", function()
        it("is empty", function() assert.equal(0, models.account.balance) end)
        pending("is closed")
      end)
      teardown(function() error "left open" end)
      """)
    let told = Mutex<[String]>([])
    let summary = try await suite(in: folder) { try $0.register("account", Account()) }
      .run { result in told.withLock { $0.append(result.name) } }
    #expect(!summary.isGood)
    #expect(summary.results.map(\.status) == [.success, .failure, .pending])
    #expect(told.withLock { $0 } == ["holds", "an account is empty", "an account is closed"])
    let failed = try #require(summary.results.first { $0.status == .failure })
    #expect(failed.name == "an account is empty" && failed.line == 3)
    #expect(failed.message?.contains("10") == true)
    #expect(summary.errors.map { $0.message?.contains("left open") } == [true])
    #expect("\(summary)".contains("seen\n"))
    #expect("\(summary)".contains("1 success / 1 failure / 1 error / 1 pending"))
  }

  struct Broken: Error, CustomStringConvertible {
    let description = "no database"
  }

  @Test func `a file whose runtime cannot be furnished is an error, and no file is one`()
    async throws
  {
    let folder = try SpecFolder()
    try folder.write("spec/a_spec.lua", "it('runs', function() end)")
    let broken = try await suite(in: folder) { _ in throw Broken() }.run()
    #expect(!broken.isGood && broken.results.isEmpty)
    #expect(broken.errors.first?.message?.contains("no database") == true)
    var none = suite(in: folder)
    none.patterns = ["_check"]
    let summary = try await none.run()
    #expect(!summary.isGood)
    #expect(summary.errors.first?.message?.contains("No test files found") == true)
  }

  @Test func `filters, tags and a runtime's configuration reach the specs`() async throws {
    let folder = try SpecFolder()
    try folder.write(
      "spec/a_spec.lua",
      """
      it("one #slow", function() end)
      it("two", function() end)
      it("three", function()
        after(5, function() end)
        assert.has_error(function() after(5, function() end) end)
      end)
      """)
    var suite = suite(in: folder)
    suite.excludedTags = ["slow"]
    suite.filters = ["three"]
    suite.configure = { $0.limits.timers = 1 }
    let summary = try await suite.run()
    #expect(summary.isGood, "\(summary)")
    #expect(summary.results.map(\.name) == ["three"])
  }
}
