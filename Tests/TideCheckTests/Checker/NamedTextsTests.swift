import TideBindings
import TideScript
import TideTest
import Testing

@testable import TideCheck

/// Texts that name something: what the catalogue says of a parameter, an option or a field decides
/// how its text is checked, completed and renamed.
@Suite struct `Texts that name something` {
  private static let fruit = """
    local fruit = model "fruit" { flavor = "sweet", ripe = true, weight = 3 }
    local other = model "other" { title = "x", count = 0 }
    print(fruit.flavor, fruit.ripe, fruit.weight, other.title, other.count)

    """
  private static let basket = """
    local Fruit = class "Fruit" { flavor = "sweet", rank = 1, ripe = true }
    local basket = model "basket" { items = list { Fruit {}, Fruit { flavor = "sour" } } }
    print(basket.items[1].flavor)

    """

  private func problems(_ text: String, path: String = "app.lua") throws -> [Problem] {
    try ScriptCheck(specs: .tidelock).check(text, path: path)
  }

  /// Checks that a name in guillemets is completed, that a slip of the pen in it is told, and that
  /// who renames its declaration, the first of its name, finds it.
  private func expectKnown(_ line: String, after base: String) throws {
    let text = base + line
    let name = String(text.split(separator: "«")[1].split(separator: "»")[0])
    let parts = text.split(separator: "«\(name)»").map(String.init)
    #expect(parts.count == 2)
    let whole = parts.joined(separator: name)

    let errors = try problems(whole).filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.map(\.error.message))")

    let slip = String(name.dropLast(2)) + String(name.suffix(1))
    let wrong = parts.joined(separator: slip)
    let before = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let told = try problems(wrong).filter {
      $0.error.location?.line == before.count
        && $0.error.location?.column == (before.last?.utf8.count ?? 0) + 1
    }
    #expect(
      told.contains { $0.error.message.contains("\"\(slip)\"") }, "\(line): \(told)")

    let typed = try EditedScript(parts.joined(separator: name.prefix(3) + "¦"))
    #expect(typed.completions.contains(name), "\(line)")

    guard let declaration = whole.firstRange(of: name) else { return }
    let caret = whole.index(after: declaration.lowerBound)
    let edited = try EditedScript("\(whole[..<caret])¦\(whole[caret...])")
    let place = parts[0].utf8.count
    #expect(
      edited.analysis.references(at: edited.caret).contains {
        $0.location.range.lowerBound == place
      }, "\(line)")
  }

  @Test(arguments: [
    "bind('ripe -> title', fruit, other, { when = '«flavor»' })",
    "bind('fruit.weight -> other.count', { when = '«flavor»' })",
    "show(view.label { bindTo = { text = { path = 'fruit.weight', when = '«flavor»' } } })",
    "print(resource(function() return 1 end, { when = 'fruit.«flavor»' }).value)",
    "print(#stream(function(push) push(1) end, { when = 'fruit.«flavor»' }))",
    "bind({ '«flavor»', 'weight' }, 'title', fruit, other, { format = '%s %s' })",
    "bind({ 'title', 'count' }, '«flavor»', other, fruit, { format = '%s %s' })",
    "bind({ 'fruit.«flavor»', 'fruit.weight' }, 'other.title', { format = '%s %s' })",
    "observe(fruit, '«flavor»', print)",
    "print(ref(fruit, '«flavor»').value)",
    "print(#why(fruit, '«flavor»'))",
    "unbind(fruit, '«flavor»')",
    "bind('ripe -> title', fruit, other, { trigger = trigger.change(fruit, '«flavor»') })",
    "local b = binding '«flavor» -> title'; b:connect(fruit, other)",
    "local b = binding 'title -> «flavor»'; b:connect(other, fruit)",
    "local b = binding 'weight <> «flavor»'; b:connect(fruit, fruit)",
    "local c = controller.object { name = 'cc' }; c.content = fruit; print(c.selection.«flavor»)",
    "local c = controller.object { name = 'cc' }; c.content = fruit\n"
      + "show(view.label { bindTo = { text = 'cc.selection.«flavor»' } })",
  ])
  func `paths from objects and models are known`(line: String) throws {
    try expectKnown(line, after: Self.fruit)
  }

  @Test(arguments: [
    "print(#basket.items:sorted('«flavor»'))",
    "print(#basket.items:sorted('-«flavor»'))",
    "print(#basket.items:sorted { key = '«flavor»' })",
    "print(#basket.items:sorted { 'rank', '«flavor»' })",
    "print(#basket.items:sorted { { key = 'rank' }, { key = '«flavor»', ascending = false } })",
    "print(#basket.items:group('«flavor»'))",
    "print(#controller.list { content = basket.items, sort = '«flavor»' }.arrangedObjects)",
    "print(#controller.list { content = basket.items, sort = { key = '«flavor»' } }.arrangedObjects)",
    "print(#controller.list { content = basket.items, sort = { { key = '«flavor»' } } }.arrangedObjects)",
    "print(#controller.list { content = basket.items, filter = '«flavor»' }.arrangedObjects)",
    "local c = controller.list { content = basket.items }; c.sort = '«flavor»'",
    "local c = controller.list { content = basket.items }; c.sort = { '-rank', '«flavor»' }",
    "local c = controller.list { content = basket.items }; c.filter = '«flavor»'",
    "local c = controller.tree { content = basket.items, childrenPath = 'ripe' }; "
      + "c.sort = { key = '«flavor»' }",
    "local c = controller.list {}; c.content = basket.items; print(c.selection.«flavor»)",
  ])
  func `paths from rows are known`(line: String) throws {
    try expectKnown(line, after: Self.basket)
  }

  @Test(arguments: [
    (
      "local o = object { taste = function() end, flavor = 1 }\n",
      "bind('flavor -> flavor', o, o, { trigger = trigger.call(o, '«taste»') })"
    ),
    ("model 'basket' { rank = 1 }\n", "print(undo.manager { '«basket»' }.canUndo)"),
    ("context('details', function() end)\n", "print(undo.manager { '«details»' }.canUndo)"),
    ("context('details', function() end)\n", "context.clear '«details»'"),
    ("context('details', function() end)\n", "context.enable('«details»')"),
    ("context('details', function() end)\n", "context.disable('«details»')"),
    ("local F = class 'Fruit' { rank = 1 }\n", "print(isa(F {}, '«Fruit»'))"),
    (
      "local F = class 'Fruit' { rank = 1 }\nlocal G = class('Melon', F) {}\n",
      "print(isa(G {}, '«Fruit»'))"
    ),
    (
      "view.component('badge', { properties = { caption = '' }, view = function(self)\n"
        + "  return view.label { text = self.caption } end })\n",
      "view.placeholders('«badge»', { caption = { noSelection = 'n' } })"
    ),
    (
      "view.component('badge', { properties = { caption = '' }, view = function(self)\n"
        + "  return view.label { text = self.caption } end })\n",
      "view.placeholders('badge', { «caption» = { noSelection = 'n' } })"
    ),
  ])
  func `methods, models, contexts and classes are known`(base: String, line: String) throws {
    try expectKnown(line, after: base)
  }

  @Test func `a path of "when" begins at the left object, not at a model`() throws {
    let found = try problems(
      Self.fruit + "bind('fruit.weight -> other.count', { when = 'fruit.ripe' })")
    #expect(found.map(\.error.message).contains { $0.contains("fruit has no property \"fruit\"") })
  }

  @Test(arguments: [
    ("view.placeholders('label', { text = { noSelektion = 'n' } })", "noSelektion"),
    ("view.placeholders('label', { tekst = { noSelection = 'n' } })", "tekst"),
    ("print(isa(view.label {}, 'lable'))", "lable"),
    ("print(#list { object { a = 1 } }:sorted { kee = 'a' })", "kee"),
    (
      "show(view.list { items = list { object { a = 1 } },\n"
        + "  rowStyle = function() return { textColr = 'red' } end })",
      "textColr"
    ),
    (
      "show(view.list { items = list { object { a = 1 } },\n"
        + "  rowStyle = function() return { style = 'eror' } end })",
      "eror"
    ),
  ])
  func `keys and names of tables within options are checked`(text: String, word: String) throws {
    #expect(try problems(text).contains { $0.error.message.contains("\"\(word)\"") }, "\(text)")
  }

  @Test(arguments: [
    ("assert.property(fruit, '¦')", "flavor"), ("assert.bound(fruit, 'fl¦')", "flavor"),
    ("assert.is_not.bound(fruit, 'fl¦')", "flavor"), ("assert.¦", "is"), ("assert.are.¦", "same"),
    ("spy.¦", "on"), ("ui.¦", "tap"), ("clock.¦", "advance"),
    ("assert.property(fruit, 'flavor').¦", "exists"),
  ])
  func `words and paths of specs are completed`(text: String, wanted: String) throws {
    let script = try EditedScript(
      "local fruit = object { flavor = 1 }\n" + text, path: "app_spec.lua")
    #expect(script.completions.contains(wanted), "\(text): \(script.completions)")
  }

  @Test(arguments: [
    ("ui.tpa('ok')", "tpa"), ("assert.equls(1, 1)", "equls"), ("assert.are.eqal(1, 1)", "eqal"),
    ("assert.is_tru(true)", "is_tru"), ("spy.nwe(print)", "nwe"),
    ("assert.has.erorrs(print)", "erorrs"), ("assert.spy(print).was.caled()", "caled"),
    ("assert.property(fruit, 'flavor').iz(1)", "iz"),
    ("assert.property(fruit, 'flavr').is(1)", "flavr"), ("assert.bound(fruit, 'flavr')", "flavr"),
  ])
  func `a mistyped word or path of a spec is told`(text: String, word: String) throws {
    let found = try problems(
      "local fruit = object { flavor = 1 }\nit('x', function() \(text) end)", path: "app_spec.lua")
    #expect(found.contains { $0.error.message.contains("\"\(word)\"") }, "\(text)")
  }

  @Test func `words that a spec registers, and all of luassert's, are no mistakes`() throws {
    let found = try problems(
      """
      assert:register("assertion", "evem", function() return true end)
      it("x", function()
        assert.is_evem(2)
        assert.is.evem(2)
        assert.is.equal(1, 1)
        assert.are_not.same({}, 1)
        assert.has_no.errors(function() end)
        assert.is_not_nil(1)
        assert.returned.arguments(2)
        assert.spy(print).was_not.called_with(match.is_number(), match._)
        assert.message("why").is_true(true)
        assert(1, "no")
      end)
      """, path: "app_spec.lua")
    #expect(found.isEmpty, "\(found.map(\.error.message))")
  }
}
