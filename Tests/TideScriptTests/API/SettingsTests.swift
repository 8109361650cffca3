import Foundation
import Testing
import TideGraph
import TideLua

@testable import TideBindings
@testable import TideScript

/// What an app's settings are after the app has been run again.
@Suite struct `Settings of scripts` {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "tidelock-settings-\(UUID().uuidString)").path

  func leave() { try? FileManager.default.removeItem(atPath: folder) }

  var file: String { folder + "/state/settings.json" }

  /// A run of an app, whose script is read from a file as an app's is.
  @discardableResult
  func run(
    _ script: String, _ files: [String: String] = [:], memory: Int? = nil
  ) throws -> Runtime {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files.merging(["app.lua": script], uniquingKeysWith: { $1 }) {
      try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    var configuration = Runtime.Configuration()
    configuration.print = { _ in }
    configuration.settingsFolder = folder + "/state"
    if let memory { configuration.lua.memory = memory }
    let runtime = try Runtime(file: folder + "/app.lua", configuration: configuration)
    try runtime.load()
    return runtime
  }

  @Test(arguments: ["{}", "[]", "1", "\"0123456789abcdef\""])
  func `a file that there is no memory for is left alone`(_ element: String) throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/state", withIntermediateDirectories: true)
    let rows = [String](repeating: element, count: 400_000).joined(separator: ",")
    let text = "{ \"$settings\": 2, \"values\": { \"rows\": [\(rows)] } }"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    let runtime = try run("s = controller.settings {}", memory: 16 << 20)
    let error = try #require(runtime.errors.first)
    #expect(error.code == .scriptMemory, "\(error)")
    _ = try runtime.evaluate(
      "(function() s.values.size = 1; s:save() return 1 end)()", as: Int.self)
    runtime.end()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/state")
    #expect(files == ["settings.json"])
  }

  @Test func `what cannot be kept is reported at once, at its line, until it is fixed`() throws {
    defer { leave() }
    let runtime = try run(
      """
      s = controller.settings { initialValues = { b = 1 } }
      s.values.fn = print
      s.values.b = 2
      """)
    #expect(runtime.errors.map(\.code) == [.settings])
    #expect(runtime.errors.first?.location?.line == 2)
    try runtime.evaluate("s.values.fn = nil", as: Value.self)
    #expect(runtime.errors.isEmpty)
    try runtime.evaluate("s.values.l = {} s.values.l:append(print)", as: Value.self)
    #expect(runtime.errors.count == 1)
    try runtime.evaluate("s.values.l:remove(1)", as: Value.self)
    #expect(runtime.errors.isEmpty)
    runtime.end()
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"b\": 2"))
  }

  @Test func `a thousand settings of one turn are written a few times, when it ends at the latest`()
    throws
  {
    defer { leave() }
    let first = try run(
      """
      s = controller.settings {}
      for i = 1, 1000 do s.values["k" .. i] = i end
      """)
    let settings = try #require(first.declarations.settingsControllers["settings"])
    #expect(settings.writeCount <= 2)
    // As if it had been killed: nothing ends it.
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"k1\": 1,") && text.contains("\"k1000\": 1000"))
    try first.evaluate("for i = 1, 1000 do s.values['k' .. i] = -i end", as: Value.self)
    #expect(settings.writeCount <= 4)
    try first.evaluate(
      "after(0, function() for i = 1, 9 do s.values.last = i end end)", as: Value.self)
    first.turn(timeout: 1)
    #expect(settings.writeCount <= 6)
    let second = try run(
      """
      s = controller.settings {}
      for i = 1, 1000 do assert(s.values["k" .. i] == -i) end
      assert(s.values.last == 9 and not s.hasUnappliedChanges)
      """)
    #expect(second.errors.isEmpty, "\(second.errors)")
  }

  @Test func `what waits for the end of the turn counts as applied, and is not taken back`() throws
  {
    defer { leave() }
    let runtime = try run(
      """
      s = controller.settings {}
      s.values.a = 1
      s.values.b = 2
      assert(not s.hasUnappliedChanges)
      s.values.list = {}
      s.values.list:append(1)
      assert(not s.hasUnappliedChanges)
      s:revert()
      assert(s.values.list[1] == 1 and not s.hasUnappliedChanges)
      s.values.c = 3
      s.appliesImmediately = false
      assert(not s.hasUnappliedChanges)
      s.values.d = 4
      s.values.list:append("no")
      assert(s.hasUnappliedChanges)
      s:revert()
      assert(#s.values.list == 1 and s.values.d == nil and s.values.c == 3)
      assert(not s.hasUnappliedChanges)
      s.values.d = 4
      """)
    #expect(runtime.errors.isEmpty, "\(runtime.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"list\": [1]") && text.contains("\"c\": 3"))
    #expect(text.contains("\"b\": 2") && !text.contains("\"d\""))
    try runtime.evaluate("s.appliesImmediately = true s.values.list:append(2)", as: Value.self)
    try runtime.evaluate("s.values.list:append(3)", as: Value.self)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"list\": [1, 2, 3]"))
  }

  @Test func `within a batch a difference is seen at once, also deep inside a value`() throws {
    defer { leave() }
    let runtime = try run(
      """
      Row = class "Row" { name = "" }
      s = controller.settings { initialValues = { rows = list { Row { name = "a" } } } }
      for i = 1, 200 do s.values["k" .. i] = list { Row { name = "a" } } end
      s.appliesImmediately = false
      batch(function()
        assert(not s.hasUnappliedChanges)
        s.values.k77[1].name = "b"
        assert(s.hasUnappliedChanges)
        s.values.k77[1].name = "a"
        assert(not s.hasUnappliedChanges)
        s.values.rows[1].name = "b"
        assert(s.hasUnappliedChanges)
      end)
      label = view.label { text = function() return tostring(s.hasUnappliedChanges) end }
      assert(label.text == "true")
      s.values.rows[1].name = "a"
      assert(label.text == "false")
      s.values.k200[1].name = "c"
      assert(label.text == "true")
      s.values.k200 = list { Row { name = "a" } }
      assert(label.text == "false")
      """)
    #expect(runtime.errors.isEmpty, "\(runtime.errors)")
  }

  @Test func `of what cannot be kept and waits for the end of the turn the line is told`() throws {
    defer { leave() }
    let runtime = try run(
      """
      s = controller.settings {}
      s.values.a = 1
      s.values.fn = print
      s.values.b = 2
      """)
    #expect(runtime.errors.map(\.code) == [.settings])
    #expect(runtime.errors.first?.location?.line == 3)
  }

  @Test func `what cannot be written is told at the end of the turn, and is unapplied then`() throws
  {
    defer { leave() }
    let runtime = try run(
      """
      s = controller.settings {}
      s.values.a = 1
      s.values.big = ("x"):rep(3000000)
      s.values.bigger = ("x"):rep(3000000)
      assert(not s.hasUnappliedChanges)
      """)
    #expect(runtime.errors.map(\.code) == [.settings], "\(runtime.errors)")
    #expect(try runtime.evaluate("s.hasUnappliedChanges", as: Value.self) == true)
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("big"))
    try runtime.evaluate("s.values.big = nil", as: Value.self)
    #expect(runtime.errors.isEmpty)
    #expect(try runtime.evaluate("s.hasUnappliedChanges", as: Value.self) == false)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"bigger\""))
  }

  @Test func `more than fits into one turn is kept at the end, in several`() throws {
    defer { leave() }
    // What is shared stands for far more text than it takes to make.
    let runtime = try run(
      """
      s = controller.settings {}
      rows = {}
      for i = 1, 200 do rows[i] = ("x"):rep(20) .. i end
      rows = list(rows)
      s.appliesImmediately = false
      batch(function() for i = 1, 300 do s.values["k" .. i] = rows end end)
      """)
    // Too little for all of the texts, and enough for the file, also where a sanitizer looks on.
    runtime.lua.setTurnLimit(.milliseconds(getenv("TIDELOCK_SANITIZER") == nil ? 20 : 400))
    _ = try? runtime.evaluate("s.appliesImmediately = true", as: Value.self)
    runtime.end()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"k1\": [") && text.contains("\"k300\": ["))
  }

  @Test(arguments: ["exit()", "error('stop')", "s.appliesImmediately = false exit(3)"])
  func `what was set is kept where the app ends in the same turn`(_ end: String) throws {
    defer { leave() }
    let app = "s = controller.settings {} for i = 1, 50 do s.values['k' .. i] = list { i } end "
    do { try run(app + end).end() } catch {}
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"k1\": [1]") && text.contains("\"k50\": [50]"))
    leave()
    let runtime = try run(
      "s = controller.settings {} after(0, function() for i = 1, 50 do s.values['k' .. i] = i end \(end) end)"
    )
    runtime.turn(timeout: 1)
    runtime.end()
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"k50\": 50"))
  }

  /// Runs both, one after the other, as two runs of one app whose second one checks.
}
