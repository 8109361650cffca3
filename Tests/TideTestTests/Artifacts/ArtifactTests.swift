import FoundationEssentials
import TideSystem
import Testing

@testable import TideTest

@Suite struct `Artifacts of failed tests` {
  private let folder: SpecFolder
  private var artifacts: String { folder.path + "/artifacts" }

  init() throws {
    folder = try SpecFolder()
    try folder.write(
      "app.lua",
      """
      model "fruit" { name = "fig", count = 0 }
      return view.column {
        view.label { id = "shown", text = function() return models.fruit.count end },
        view.field { id = "name", bindTo = { text = "<> fruit.name" } },
        view.field { id = "secret", secure = true },
        view.button { id = "add", title = "Add", on = { touchUpInside = function()
          models.fruit.count = models.fruit.count + 1 end } },
        view.button { id = "bad", title = "Bad", on = { touchUpInside = function() error "no" end } },
      }
      """)
  }

  private func run(
    _ spec: String, _ output: String = "plainTerminal",
    _ configure: (inout TestOptions) -> Void = { _ in }
  ) throws -> SpecResult {
    try folder.write("spec/fruit_spec.lua", spec)
    return try folder.run(output) {
      $0.artifacts = try? ArtifactFolder(artifacts)
      $0.roots = [folder.path + "/spec"]
      configure(&$0)
    }
  }

  /// The paths of all written files, without the folder.
  private var files: [String] {
    let found = try? FileManager.default.subpathsOfDirectory(atPath: artifacts)
    return (found ?? []).filter { $0.contains(".") }.sorted()
  }

  private func read(_ name: String) -> String {
    (files.first { $0.hasSuffix("/" + name) }).flatMap {
      try? String(contentsOf: URL(filePath: artifacts + "/" + $0), encoding: .utf8)
    } ?? ""
  }

  private static let failing = """
    before_each(function() ui.mount("app.lua") end)
    describe("fruit", function()
      it("ripens: slowly", function()
        ui.tap("add")
        clock.advance(0.5)
        ui.type("name", "s")
        models.fruit.count = 7
        assert.equal(8, models.fruit.count)
      end)
      it("passes", function() ui.tap("add") end)
    end)
    """

  @Test func `show the last picture, a cast, the acts and the turns, and are named by the reports`()
    throws
  {
    let result = try run(Self.failing)
    #expect(!result.isGood)
    let names = files.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    #expect(
      names == ["acts.txt", "picture.svg", "picture.txt", "test.cast", "test.json", "turns.txt"])
    #expect(files.allSatisfy { $0.contains("fruit-ripens-slowly/") })
    for file in files { #expect(result.text.contains("-> artifacts/\(file)"), "\(result.text)") }
    // What was written before the failure is in the picture.
    #expect(read("picture.txt").hasPrefix("7\nfigs\n"))
    #expect(read("picture.svg").hasPrefix("<svg"))
    #expect(
      read("acts.txt").replacing(folder.path, with: "")
        == """
        0 s  ui.mount("app.lua")
        0 s  ui.tap("add")
        0 s  clock.advance(0.5)
        0.5 s  ui.type("name", "s")

        """)
    let turns = read("turns.txt").replacing(folder.path + "/", with: "")
    #expect(
      turns.contains(
        "0 s  ui.tap(\"add\")\n    fruit.count: 0 before, now 1 by a write at app.lua:7, a click on the button \"add\"\n"
      ), "\(turns)")
    #expect(
      turns.contains(
        "    name.text: \"fig\" before, now \"figs\" by typing into the field \"name\"\n"),
      "\(turns)")
    #expect(
      turns.contains("    fruit.count: 1 before, now 7 by a write at spec/fruit_spec.lua:7\n"),
      "\(turns)")
    #expect(turns.hasPrefix("0 s  ui.mount(\"app.lua\")\n0 s  ui.tap(\"add\")\n"), "\(turns)")
    let test = try JSONValue(parsing: Array(read("test.json").utf8))
    #expect(test["name"].string == "fruit ripens: slowly")
    #expect(test["message"].string?.contains("Expected") == true)
  }

  @Test func `have a cast on the test's clock, with the acts as marks`() throws {
    _ = try run(Self.failing)
    let lines = try read("test.cast").split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))
    }
    #expect(lines.first?["width"].int == 80)
    #expect(lines.first?["title"].string == "fruit ripens: slowly")
    let marks = lines.filter { $0[1].string == "m" }.map { $0[2].string ?? "" }
    #expect(marks.last == "ui.type(\"name\", \"s\")")
    let shown = lines.filter { $0[1].string == "o" }
    #expect(shown.first?[0].double == 0)
    #expect(shown.last?[0].double == 0.5)
    // A frame for the mount, the click, the letter and the write.
    #expect((4...8).contains(shown.count), "\(shown.count)")
  }

  @Test(arguments: [
    ("plainTerminal", "-> artifacts/"), ("TAP", "# artifact: artifacts/"),
    ("junit", "[[ATTACHMENT|artifacts/"), ("gtest", "\nartifacts/"),
    ("json", "\"artifacts\":[\"artifacts/"),
  ])
  func `are linked from each report`(report: String, link: String) throws {
    let text = try run(Self.failing, report).text
    #expect(text.contains(link), "\(text)")
    #expect(text.contains("picture.svg"))
  }

  @Test func `are linked from the lines of JSON`() throws {
    let text = try run(Self.failing, "") { $0.writesLines = true }.text
    #expect(text.contains("\"artifacts\":[\"artifacts/"), "\(text)")
  }

  @Test func `are not written for tests that pass, and not even the folder`() throws {
    let result = try run("it('passes', function() ui.mount('app.lua') ui.tap('add') end)")
    #expect(result.isGood, "\(result.text)")
    #expect(!FileManager.default.fileExists(atPath: artifacts))
  }

  @Test func `have the listed errors, and not the text of a secure field`() throws {
    let result = try run(
      """
      it("fails", function()
        ui.mount("app.lua")
        ui.type("secret", "hunter2")
        ui.press("x")
        ui.tap("bad")
        assert.no_errors()
      end)
      """)
    #expect(!result.isGood)
    #expect(read("errors.txt").contains("no"))
    #expect(read("acts.txt").contains("ui.type(\"secret\", \"•••\")"))
    for file in files { #expect(!read(file).contains("hunter2"), "\(file)") }
  }

  @Test func `are written for what fails around a test, and for one that is stopped`() throws {
    _ = try run(
      """
      describe("before", function()
        before_each(function() ui.mount("app.lua") error("early") end)
        it("runs", function() end)
      end)
      describe("after", function()
        after_each(function() error("late") end)
        it("runs", function() ui.mount("app.lua") end)
      end)
      it("loops", function() ui.mount("app.lua") while true do end end)
      """
    ) { $0.timeLimit = 0.5 }
    let folders = Set(files.map { $0.split(separator: "/").dropLast().last.map(String.init) ?? "" })
    #expect(folders == ["before-runs", "after-runs", "loops"])
  }

  @Test func `show the screens of other people`() throws {
    _ = try run(
      """
      it("is shared", function()
        ui.mount("app.lua")
        local bert = ui.session("bert", "app.lua")
        bert.tap("add")
        assert.equal(1, 2)
      end)
      """)
    #expect(read("picture-bert.txt").hasPrefix("1\n"), "\(files)")
    #expect(read("test-bert.cast").contains("[0.0,\"m\",\"bert.tap("))
    #expect(read("acts.txt").contains("bert.tap(\"add\")"), "\(read("acts.txt"))")
  }

  @Test func `of an earlier run are removed, and other files stay`() throws {
    _ = try run(Self.failing)
    try folder.write("artifacts/mine/notes.txt", "mine")
    #expect(files.count == 7)
    _ = try run("it('fails', function() error 'x' end)")
    #expect(files == ["mine/notes.txt"] + files.filter { $0.contains("/fails/") })
    #expect(files.count > 1)
    _ = try run("it('passes', function() end)")
    #expect(files == ["mine/notes.txt"])
  }

  @Test func `are those of the last attempt, and none where one passes`() throws {
    let spec = """
      local count = 0
      it("is flaky", function() count = count + 1 ui.mount("app.lua") ui.tap("add") assert.equal(2, count) end)
      """
    #expect(try run(spec) { $0.retries = 1 }.isGood)
    #expect(files.isEmpty)
    #expect(try !run(spec.replacing("equal(2", with: "equal(9")) { $0.retries = 1 }.isGood)
    #expect(read("acts.txt").split(separator: "\n").count == 2)
  }

  @Test func `of tests with the same name have folders of their own`() throws {
    _ = try run(
      """
      it("fails", function() error "a" end)
      it("fails", function() error "b" end)
      it("…", function() error "c" end)
      """)
    let folders = Set(files.map { $0.split(separator: "/").dropLast().last.map(String.init) ?? "" })
    #expect(folders == ["fails", "fails-2", "test"])
  }

  @Test func `that cannot be written are told of`() throws {
    try folder.write("artifacts", "a file")
    #expect(throws: TestSetupError.self) { try ArtifactFolder(artifacts) }
    try FileManager.default.removeItem(atPath: artifacts)
    var notices: [String] = []
    try folder.write("spec/fruit_spec.lua", Self.failing)
    var options = TestOptions()
    options.roots = [folder.path + "/spec"]
    options.artifacts = try ArtifactFolder("/proc/artifacts")
    let run = SuiteRun(options, reporting: NoReport())
    _ = try run.run()
    notices = run.notices
    #expect(notices.contains { $0.contains("what fruit ripens: slowly has seen is not kept") })
  }

  private final class NoReport: SpecReport {
    func take(_ event: SpecEvent) {}
  }
}
