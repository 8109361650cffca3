import TideBindings
import TideScript
import TideTest
import Testing

@testable import TideCheck

/// The names that findings suggest, and what --fix makes of them.
@Suite struct `What a finding suggests` {
  private func problems(_ text: String, path: String = "app.lua") throws -> [Problem] {
    try ScriptCheck(specs: .tidelock).check(text, path: path)
  }

  private func messages(_ text: String, path: String = "app.lua") throws -> [String] {
    try problems(text, path: path).map(\.error.message)
  }

  private static let classes = """
    local Fruit = class "Fruit" { count = 0,
      take = function(self, n) self.count = self.count - n end, drop = function(self) end }

    """

  @Test(arguments: [
    ("Fruit:take(n)", "Fruit.take(self, n)"), ("Fruit:drop()", "Fruit.drop(self)"),
    ("Fruit:take( n )", "Fruit.take(self,  n )"), ("Fruit:take(#'n')", "Fruit.take(self, #'n')"),
    ("Fruit:drop(-- all\n)", "Fruit.drop(self-- all\n)"),
    ("each(function() Fruit:drop() end)", "each(function() Fruit.drop(self) end)"),
  ])
  func `a colon at a class becomes a dot and self`(written: String, fixed: String) throws {
    let text =
      Self.classes
      + "local Fig = class(\"Fig\", Fruit) { eat = function(self, n) \(written) end }\n"
      + "print(Fig { count = 1 })"
    let bytes = Array(text.utf8)
    let found = try problems(text).filter { $0.error.code == .methodCall }
    let fix = try #require(found.first?.fix(in: ScriptLines(bytes)))
    #expect(fix.isSure)
    var result = bytes
    result.replaceSubrange(fix.range, with: Array(fix.replacement.utf8))
    #expect(String(decoding: result, as: UTF8.self) == text.replacing(written, with: fixed))
  }

  @Test func `a colon at a class gets no fix where there is no self`() throws {
    let text = Self.classes + "Fruit:take(1)"
    let found = try #require(try problems(text).first { $0.error.code == .methodCall })
    #expect(found.error.message.hasSuffix("call it on one of its objects"))
    #expect(found.fix(in: ScriptLines(Array(text.utf8))) == nil)
  }

  @Test(arguments: [
    "local Tree = class \"Tree\" { grow = function(self) Fruit:drop() end } print(Tree {})",
    "local tree = object { grow = function(self) Fruit:drop() end } print(tree)",
    "local M = {} function M:grow() Fruit:drop() end return M",
    "local function grow(self) Fruit:drop() end grow(Fruit {})",
    "for _, self in ipairs {} do print(self) Fruit:drop() end",
    "local self = object {} print(self) Fruit:drop()",
    "local Fig = class(\"Fig\", Fruit) { eat = function(self) local self = self.root Fruit:drop() "
      + "print(self) end } print(Fig {})",
    "local Fig = class(\"Fig\", Fruit) { eat = function(self) return function(self) "
      + "print(self) Fruit:drop() end end } print(Fig {})",
    "local Fig = class(\"Fig\", Fruit) { eat = function(me, self) Fruit:drop() end } print(Fig {})",
  ])
  func `self is not inserted where it may be another object`(use: String) throws {
    let text = Self.classes + use
    let found = try #require(try problems(text).first { $0.error.code == .methodCall })
    #expect(found.error.message.hasSuffix("call it on one of its objects"))
    #expect(found.fix(in: ScriptLines(Array(text.utf8))) == nil)
  }

  @Test func `in a class itself, its method is called on self`() throws {
    let text =
      "local Fruit = class \"Fruit\" { drop = function(self) end } local Fig\n"
      + "Fig = class(\"Fig\", Fruit) { drop = function(self) end,\n"
      + "  eat = function(self) Fig:drop() end } print(Fig {})"
    let found = try #require(try problems(text).first { $0.error.code == .methodCall })
    #expect(found.error.message.hasSuffix("write self:drop(…)"))
    #expect(found.fix(in: ScriptLines(Array(text.utf8))) == nil)
  }

  @Test(arguments: [
    ("rows.append(1)", true), ("rows.append({ 1 })", true), ("rows.append(other)", false),
    ("rows.clear()", true), ("fruit.take()", true), ("fruit.take(1)", true),
    ("fruit.take(other)", false),
  ])
  func `a dot becomes a colon unless the object may be passed`(call: String, isSure: Bool) throws {
    let text =
      Self.classes + "local rows, fruit = list {}, Fruit {}\n"
      + "local function f(other) print(other) \(call) end f()"
    let found = try #require(try problems(text).first { $0.error.code == .methodCall }, "\(call)")
    #expect(found.fix(in: ScriptLines(Array(text.utf8)))?.isSure == isSure)
  }

  @Test func `a table is not suggested for what is called`() throws {
    let found = try messages(
      "describe('a', function() is('b', function() end) end)", path: "a_spec.lua")
    #expect(found.count == 1)
    #expect(found.first?.contains("\"io\"") == false, "\(found)")
  }

  @Test func `a view's own property comes before one of all views`() throws {
    let found = try messages("return view.stepper { max = 9 }")
    #expect(found.first?.hasSuffix("did you mean \"maximum\"?") == true, "\(found)")
  }

  @Test func `methods are suggested for methods`() throws {
    let view = try messages(
      "local v = view.label { id = 'v', text = 'x' } v:setFocus() v:autofocs() return v")
    #expect(view.count == 2 && !view.contains { $0.contains("\"autofocus\"") }, "\(view)")
    let list = try messages("local rows = list {} rows:hasMre()")
    #expect(list.count == 1 && !list.contains { $0.contains("hasMore") }, "\(list)")
    let model = try messages(
      "local form = model 'form' { name = '', send = function(self) end } form:clear() form:send()")
    #expect(model.count == 1 && model.first?.hasSuffix("there is only send") == true, "\(model)")
  }

  @Test func `another word of an enum is not suggested for its opposite`() throws {
    let start =
      "local m = model 'm' { state = property { default = 'offline', "
      + "enum = { 'offline', 'running' } } } "
    let other = try messages(start + "print(m.state == 'online')")
    #expect(other.count == 1 && other.first?.contains("did you mean") == false, "\(other)")
    let slip = try messages(start + "print(m.state == 'runing')")
    #expect(slip.first?.contains("did you mean \"running\"?") == true, "\(slip)")
  }

  @Test func `an unknown event that is sent is told of once`() throws {
    let found = try messages(
      "view.component('price', { events = { 'raised' }, view = function(self) return "
        + "view.button { title = '+', on = { touchUpInside = function() self:send('rasied') end } } "
        + "end }) return view.price {}")
    #expect(found.count == 1 && found.first?.contains("\"raised\"") == true, "\(found)")
  }
}
