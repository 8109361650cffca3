import Foundation
import Testing
import TideBindings
import TideGraph
import TideReload
import TideScript

@Suite struct `Feeds of scripts` {
  private func configuration() -> Runtime.Configuration {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    return configuration
  }

  @Test func `end with their app while a fetch is under way and a script follows it`() throws {
    var said: Value = .null
    do {
      let runtime = try Runtime(file: "test.lua", configuration: configuration())
      try runtime.evaluate(
        """
        rows = feed { fetch = function() sleep(9) return { 1 } end }
        label = object { text = "" }
        bind(label, "text", function() return rows.isFetching and "busy" or "idle" end)
        rows:fetchMore()
        """, as: Value.self)
      said = try runtime.evaluate("label.text", as: Value.self)
    }
    #expect(said == "busy")
  }

  @Test func `in a model keep their rows when the app is reloaded, and fetch with the new version`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "app.lua")
    func write(_ version: String) throws {
      try Data(
        """
        sky = model "sky" { rows = feed { page = 2, fetch = function(offset)
          sleep(1)
          return { "\(version)" .. offset, "\(version)" .. offset + 1 }
        end } }
        """.utf8
      ).write(to: file)
    }
    try write("a")
    let runtime = try Runtime(app: file, configuration: configuration())
    try runtime.load()
    func rows() throws -> String {
      try runtime.evaluate("table.concat(sky.rows:totable(), ' ')", as: String.self)
    }
    try runtime.evaluate("sky.rows:fetchMore()", as: Value.self)
    runtime.loop.advance(by: 2)
    #expect(try rows() == "a0 a1")
    try runtime.evaluate("sky.rows:fetchMore()", as: Value.self)
    try write("b")
    try runtime.reload()
    #expect(try rows() == "a0 a1")
    #expect(
      try runtime.evaluate("sky.rows.isFetching", as: Value.self) == true,
      "what was on its way begins again")
    runtime.loop.advance(by: 2)
    #expect(try rows() == "a0 a1 b2 b3")
    runtime.loop.advance(by: 2)
    #expect(try rows() == "a0 a1 b2 b3")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `keep what they have when a reload fails`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "app.lua")
    let source = """
      sky = model "sky" { rows = feed { page = 1, fetch = function(offset)
        sleep(1)
        return { offset }
      end } }

      """
    try Data(source.utf8).write(to: file)
    let runtime = try Runtime(app: file, configuration: configuration())
    try runtime.load()
    try runtime.evaluate("models.sky.rows:fetchMore()", as: Value.self)
    runtime.loop.advance(by: 2)
    try Data((source + "error('broken')").utf8).write(to: file)
    #expect(throws: TideError.self) { try runtime.reload() }
    try runtime.evaluate("models.sky.rows:fetchMore()", as: Value.self)
    runtime.loop.advance(by: 2)
    #expect(try runtime.evaluate("#models.sky.rows", as: Value.self) == 2)
  }
}
