import Foundation
import TideBindings
import TideGraph
import TideCheck
import TideViews
import TideTest
import TideScript
import Testing

@Suite struct `Definitions for editors` {
  private static let app = """
    local Person = class "Person" {
      first = "",  -- as friends say it
      full = computed(function(self) return self.first .. "!" end),
    }
    local Boss = class("Boss", Person) { staff = list { Person {} } }
    -- What grows on trees,
    -- and is eaten.
    model "fruit" { name = "fig", count = 1, ripe = false, seeds = { 1, 2 },
      -- Who grew it.
      grower = Person { first = "Ada" }, boss = Boss {}, shape = { wide = 1, ring = { deep = true } },
      parts = { { word = "a" }, { word = "b", size = 2 } }, odd = { 1, "a" }, word = nil,
      cut = function(self, pieces) end, size = computed(function(self) return #self.seeds end),
      big = computed(function(self) return self.count > 10 end),
      color = property { enum = { "red", "green" } }, weight = property { type = "number" },
      eat = function() end }
    view.component("card", { properties = { title = "" }, events = { "opened" },
      view = function() return view.label {} end })
    return view.column { view.label { id = "title" }, view.card { title = "x" } }
    """

  /// Runs the definitions, and returns the globals that they make.
  private func globals(of text: String) throws -> Set<String> {
    let runtime = try Runtime(file: "app.lua")
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
    let runtime = try Runtime(file: "app.lua")
    let known = try runtime.evaluate(
      "local n = {} for k in pairs(tidelock) do n[#n + 1] = k end return table.concat(n, ' ')",
      as: String.self)
    let names = Set(known.split(separator: " ").map(String.init)).union(["tidelock"])
      .union(SpecVocabulary.tidelock.words + ["assert"])
    #expect(names.count > 60)
    #expect(try globals(of: TypeDefinitions(specs: .tidelock).text) == names)
    #expect(try globals(of: TypeDefinitions(appText: Self.app, specs: .tidelock).text) == names)
  }

  @Test func `every view class is there with its properties and events`() throws {
    let text = try TypeDefinitions(specs: .tidelock).text
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

  /// The members that the definitions give a class: its fields, and the methods after it.
  private func members(of name: String, in text: String) throws -> Set<String> {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(
      lines.firstIndex {
        guard $0.hasPrefix("---@class \(name)") else { return false }
        let next = $0.dropFirst("---@class \(name)".count).first
        return next == nil || next == " " || next == "<"
      })
    var members: Set<String> = []
    var variable: Substring?
    for line in lines[(start + 1)...] {
      if line.isEmpty { break }
      if line.hasPrefix("---@field ") {
        members.insert(String(line.dropFirst(10).prefix { $0.isLetter || $0.isNumber }))
      } else if line.hasPrefix("local ") {
        variable = line.dropFirst(6).prefix { $0.isLetter }
      } else if let variable, line.hasPrefix("function \(variable):") {
        members.insert(String(line.dropFirst(10 + variable.count).prefix { $0.isLetter }))
      }
    }
    return members
  }

  @Test func `what values have is what a runtime gives them, no more and no less`() throws {
    let text = try TypeDefinitions(specs: .tidelock).text
    let runtime = try Runtime(file: "app.lua")
    /// The properties and methods of an object that a script makes.
    func live(_ script: String) throws -> Set<String> {
      let value: Value = try runtime.evaluate(script, as: Value.self)
      guard case .object(let object) = value, let made = object as? DataObject else { return [] }
      return Set(made.shape.properties.map(\.name) + runtime.methodNames(of: made))
    }
    let lists = try live("return feed { fetch = function() return {} end }")
    let told = try members(of: "tidelock.List", in: text)
    #expect(told == lists, "\(told.symmetricDifference(lists))")
    #expect(
      try members(of: "tidelock.Group", in: text)
        == live("return list({ { a = 1 } }):group('a')[1]"))
    let base = try members(of: "tidelock.Controller", in: text)
    let object = try base.union(members(of: "tidelock.controller.object", in: text))
    let rows = try object.union(members(of: "tidelock.controller.list", in: text))
    #expect(try object == live("return controller.object()"))
    #expect(try rows == live("return controller.list()"))
    #expect(
      try object.union(members(of: "tidelock.controller.tree", in: text))
        == live("return controller.tree()"))
    #expect(
      try rows.union(members(of: "tidelock.controller.dictionary", in: text))
        == live("return controller.dictionary()"))
    #expect(
      try base.union(members(of: "tidelock.controller.settings", in: text))
        == live("return controller.settings()"))
    let view = try members(of: "tidelock.view.view", in: text)
    #expect(try view == live("return view.view {}"))
    for (kind, name) in [("binding", "Binding"), ("handle", "Handle"), ("task", "Task")] {
      #expect(
        try members(of: "tidelock.\(name)", in: text) == Set(runtime.memberNames(of: kind)),
        "\(kind)")
    }
  }

  @Test(arguments: ["trigger", "context", "notification", "controller", "log", "hot"])
  func `the functions of a table are those of a runtime`(table: String) throws {
    let runtime = try Runtime(file: "app.lua")
    let text = try TypeDefinitions(specs: .tidelock).text
    var names: Set<String> = []
    for line in text.split(separator: "\n") where line.hasPrefix("function \(table).") {
      names.insert(String(line.dropFirst(10 + table.count).prefix { $0.isLetter }))
    }
    #expect(!names.isEmpty)
    for name in names {
      #expect(
        try runtime.evaluate("return type(\(table).\(name))", as: String.self) == "function",
        "\(name)")
    }
    // Only tables that can be listed; the others make their members on demand.
    let count = try runtime.evaluate(
      "local n = 0 for _ in pairs(\(table)) do n = n + 1 end return n", as: Int.self)
    if count > 0 { #expect(count == names.count) }
  }

  @Test func `the options of bind and property are those of a runtime`() throws {
    let text = try TypeDefinitions(specs: .tidelock).text
    // In `bindTo` no expression stands beside the options, so they include the path.
    #expect(
      try members(of: "tidelock.BindingOptions", in: text) == Set(Runtime.bindingOptionNames))
    #expect(try members(of: "tidelock.ViewBinding", in: text) == ["path"])
    #expect(
      try members(of: "tidelock.PropertyOptions", in: text) == Set(Runtime.propertyOptionNames))
  }

  @Test func `each class that is named is declared`() throws {
    let text = try TypeDefinitions(appText: Self.app, specs: .tidelock).text
    let lines = text.split(separator: "\n")
    var declared: Set<Substring> = []
    for line in lines {
      for tag in ["---@class ", "---@alias "] where line.hasPrefix(tag) {
        declared.insert(line.dropFirst(tag.count).prefix { $0 != " " && $0 != "<" })
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
    "---@field ripe boolean", "---@field seeds tidelock.List<number>\n",
    "---@field color (\"red\"|\"green\")?", "---@field weight number?", "---@field eat fun(): any",
    "---@field cut fun(self: model.fruit, pieces: any): any", "---@field size integer",
    "---@field big boolean", "---@field grower class.Person Who grew it.\n",
    "---@field boss class.Boss", "---@field shape model.fruit.shape\n",
    "---@class model.fruit.shape : tidelock.DataObject\n---@field wide number\n",
    "---@field ring model.fruit.shape.ring\n", "---@field deep boolean",
    "---@field parts tidelock.List<model.fruit.parts.row>\n",
    "---@class model.fruit.parts.row : tidelock.DataObject\n---@field word string\n---@field size number\n",
    "---@field odd tidelock.List\n", "---@field word any",
    "---@class class.Boss : class.Person\n---@field staff tidelock.List<class.Person>\n",
    "---@field first string as friends say it\n---@field full string\n",
    "---What grows on trees,\n---and is eaten.\n---@class model.fruit",
    "---@field fruit model.fruit", "---@field title tidelock.view.label",
    "---@class tidelock.view.card : tidelock.view.column", "---@field opened? ",
  ])
  func `the app's own names are typed by what is written out`(line: String) throws {
    let text = try TypeDefinitions(appText: Self.app, specs: .tidelock).text
    #expect(text.contains(line))
  }

  @Test func `objects in objects are typed however deep they are`() throws {
    let levels = 60
    let app =
      "model 'm' { " + String(repeating: "a = { ", count: levels) + "b = 1"
      + String(repeating: " }", count: levels) + " }"
    let text = try TypeDefinitions(appText: app).text
    let name = "model.m" + String(repeating: ".a", count: levels)
    #expect(text.contains("---@class \(name) : tidelock.DataObject\n---@field b number\n"))
  }

  @Test func `a script with a mistake in its syntax is an error with a location`() throws {
    let error = try #require(throws: TideError.self) { try TypeDefinitions(appText: "x = = 1") }
    #expect(error.code == .scriptSyntax)
    #expect(error.location?.line == 1)
  }
}
