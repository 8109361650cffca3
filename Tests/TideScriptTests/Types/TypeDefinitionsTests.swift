import Foundation
import TideBindings
import TideScript
import TideViews
import Testing

@Suite struct `Definitions for editors` {
  private static let app = """
    model "fruit" { name = "fig", count = 1, ripe = false, seeds = { 1, 2 },
      color = property { enum = { "red", "green" } }, weight = property { type = "number" },
      eat = function() end }
    view.component("card", { properties = { title = "" }, events = { "opened" },
      view = function() return view.label {} end })
    return view.column { view.label { id = "title" }, view.card { title = "x" } }
    """

  /// The globals that the definitions make, by running them.
  private func globals(of text: String) throws -> Set<String> {
    let runtime = try Runtime(path: "app.lua")
    let names = try runtime.evaluate(
      """
      local seen = {}
      local env = setmetatable({}, { __newindex = function(t, k, v)
        seen[#seen + 1] = k
        rawset(t, k, v)
      end })
      assert(load(\(quoted(text)), "=types", "t", env))()
      return table.concat(seen, " ")
      """, as: String.self)
    return Set(names.split(separator: " ").map(String.init))
  }

  private func quoted(_ text: String) -> String { "[==========[\n\(text)]==========]" }

  @Test func `they are Lua and name every name of the API and no other`() throws {
    let runtime = try Runtime(path: "app.lua")
    let known = try runtime.evaluate(
      "local n = {} for k in pairs(tidelock) do n[#n + 1] = k end return table.concat(n, ' ')",
      as: String.self)
    let names = Set(known.split(separator: " ").map(String.init)).union(["tidelock"])
    #expect(names.count > 40)
    #expect(try globals(of: TypeDefinitions().text) == names)
    #expect(try globals(of: TypeDefinitions(appText: Self.app).text) == names)
  }

  @Test func `every view class is there with its properties and events`() throws {
    let text = try TypeDefinitions().text
    let classes = ViewClasses()
    #expect(text.hasPrefix("---@meta\n"))
    for name in classes.names {
      #expect(text.contains("---@class tidelock.view.\(name)"))
      #expect(text.contains("---@field \(name) fun(fields?: tidelock.view.\(name).Fields)"))
      for property in classes[name]?.shape.properties ?? [] {
        #expect(text.contains("---@field \(property.name) "), "\(name).\(property.name)")
      }
      for event in classes[name]?.events ?? [] {
        #expect(text.contains("---@field \(event)? "), "\(name).\(event)")
      }
    }
    for name in TransformerRegistry().names { #expect(text.contains("---| \"\(name)\"")) }
  }

  @Test func `each class that is named is declared`() throws {
    let text = try TypeDefinitions(appText: Self.app).text
    let lines = text.split(separator: "\n")
    var declared: Set<Substring> = []
    for line in lines {
      for tag in ["---@class ", "---@alias "] where line.hasPrefix(tag) {
        declared.insert(line.dropFirst(tag.count).prefix { $0 != " " })
      }
    }
    for line in lines where line.hasPrefix("---@") {
      var rest = line[...]
      while let range = rest.firstRange(of: "tidelock.") {
        let name = rest[range.lowerBound...].prefix { $0.isLetter || $0 == "." }
        let isClass = name.last != "."
        #expect(!isClass || declared.contains(name), "\(line)")
        rest = rest[range.upperBound...]
      }
    }
  }

  @Test(arguments: [
    "---@class model.fruit : tidelock.DataObject", "---@field name string",
    "---@field count number",
    "---@field ripe boolean", "---@field seeds tidelock.List",
    "---@field color (\"red\"|\"green\")?", "---@field weight number?", "---@field eat function",
    "---@field fruit model.fruit", "---@field title tidelock.view.label",
    "---@class tidelock.view.card : tidelock.view.column", "---@field opened? ",
  ])
  func `the app's own names are typed by what is written out`(line: String) throws {
    let text = try TypeDefinitions(appText: Self.app).text
    #expect(text.contains(line))
  }

  @Test func `a script with a mistake in its syntax is an error with a place`() throws {
    let error = try #require(throws: TideError.self) { try TypeDefinitions(appText: "x = = 1") }
    #expect(error.code == .scriptSyntax)
    #expect(error.location?.line == 1)
  }
}
