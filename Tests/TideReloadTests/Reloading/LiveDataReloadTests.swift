import TestFolders
import Testing
import TideBindings
import TideLua
import TideScript

@testable import TideReload

@Suite struct `Resources and streams over reloads` {
  private static let script = """
    calls = hot.data.calls or {}
    hot.data.calls = calls
    local city = model "city" { name = "Ulm" }
    weather = resource(function()
      calls[#calls + 1] = city.name
      sleep(1)
      return city.name .. #calls
    end, { name = "weather" })
    """

  private func app(_ script: String = Self.script) throws -> ReloadedApp {
    try ReloadedApp(["app.lua": script], clock: VirtualClock())
  }

  private func advance(_ app: ReloadedApp, _ seconds: Double) {
    app.runtime.loop.advance(by: seconds)
    app.runtime.settle()
  }

  @Test func `a resource goes on with its value where nothing but a comment has changed`() throws {
    let app = try app()
    advance(app, 1)
    #expect(try app.value("weather.value") == "Ulm1")
    let report = app.save(["app.lua": "-- A comment.\n\n" + Self.script])
    #expect(report.error == nil)
    #expect(try app.value("weather.value") == "Ulm1")
    #expect(try app.value("weather.loading") == "false")
    advance(app, 5)
    #expect(try app.value("#calls") == "1")
    // What the old version had read is still followed.
    try app.run("models.city.name = 'Rom'")
    #expect(try app.value("weather.loading") == "true")
    advance(app, 1)
    #expect(try app.value("weather.value") == "Rom2")
  }

  @Test func `a changed script fetches again and keeps the value meanwhile`() throws {
    let app = try app()
    advance(app, 1)
    app.save(["app.lua": Self.script.replacing("city.name .. #calls", with: "'new' .. #calls")])
    #expect(try app.value("weather.value") == "Ulm1")
    #expect(try app.value("weather.loading") == "true")
    advance(app, 1)
    #expect(try app.value("weather.value") == "new2")
  }

  @Test func `a fetch under way begins again`() throws {
    let app = try app()
    advance(app, 0.5)
    app.save(["app.lua": Self.script + "\n"])
    #expect(try app.value("weather.loading") == "true")
    advance(app, 0.6)
    #expect(try app.value("weather.value") == "nil")
    advance(app, 0.5)
    #expect(try app.value("weather.value") == "Ulm2")
  }

  @Test func `a version that is no good fetches nothing`() throws {
    let app = try app()
    advance(app, 1)
    let report = app.save(["app.lua": Self.script + "\nerror('no')"])
    #expect(report.error != nil)
    #expect(try app.value("#calls") == "1")
    try app.run("models.city.name = 'Rom'")
    advance(app, 1)
    #expect(try app.value("weather.value") == "Rom2")
  }

  @Test func `a resource without a name begins anew`() throws {
    let script = Self.script.replacing(", { name = \"weather\" }", with: "")
    let app = try app(script)
    advance(app, 1)
    app.save(["app.lua": script + "\n"])
    #expect(try app.value("weather.value") == "nil")
    advance(app, 1)
    #expect(try app.value("weather.value") == "Ulm2")
  }

  @Test func `every goes on in its beat`() throws {
    let script = Self.script.replacing("{ name = ", with: "{ every = 10, name = ")
    let app = try app(script)
    advance(app, 4)
    app.save(["app.lua": script + " "])
    advance(app, 5)
    #expect(try app.value("#calls") == "1")
    advance(app, 1.5)
    #expect(try app.value("#calls") == "2")
  }

  @Test func `a stream with a name keeps its items`() throws {
    let script = """
      s = stream(function(push)
        for i = 1, 3 do push(i) end
      end, { name = "numbers" })
      """
    let app = try app(script)
    #expect(try app.value("#s") == "3")
    app.save(["app.lua": script + "\n-- x"])
    #expect(try app.value("#s .. ' ' .. s.received") == "3 3")
  }

  @Test func `a file goes on to be followed where the version before has stopped`() throws {
    let folder = try ScratchFolder()
    folder.write("a\nb\n", to: "log")
    let app = try StreamingApp(
      folder, "s = file.tail(\"\(folder.path)/log\", { name = \"log\", lines = 100 })"
    ) { $0.read = [folder.path] }
    try app.wait(for: ["a", "b"])
    try app.saveComment()
    #expect(try app.items == ["a", "b"])
    folder.write("a\nb\nc\n", to: "log")
    try app.wait(for: ["a", "b", "c"])
  }

  @Test func `a program goes on for the version that reads it next`() throws {
    let app = try StreamingApp(
      ScratchFolder(),
      "s = process.lines(\"sh\", { \"-c\", \"echo a; sleep 0.3; echo b\" }, { name = \"out\" })"
    ) { $0.run = true }
    try app.wait(for: ["a"])
    try app.saveComment()
    try app.wait(for: ["a", "b"])
  }
}

/// An app on the system's clock whose script fills the stream `s`.
private struct StreamingApp {
  private let folder: ScratchFolder
  private let script: String
  private let runtime: Runtime

  init(
    _ folder: ScratchFolder, _ script: String, allowing: (inout LuaAccess) -> Void
  ) throws {
    self.folder = folder
    self.script = script
    folder.write(script, to: "app.lua")
    var configuration = Runtime.Configuration()
    allowing(&configuration.lua.access)
    runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    try runtime.load()
  }

  var items: [String] {
    get throws {
      try runtime.evaluate("table.concat(s:totable(), ' ')", as: String.self)
        .split(separator: " ").map(String.init)
    }
  }

  func wait(for wanted: [String]) throws {
    for _ in 0..<1000 where try items != wanted { runtime.turn(timeout: 0.01) }
    #expect(try items == wanted)
  }

  func saveComment() throws {
    folder.write(script + "\n-- A comment.", to: "app.lua")
    #expect(runtime.reload(changed: [folder.path + "/app.lua"]).error == nil)
  }
}
