import TideBindings
import TideCheck
import TideStore
import TideTest
import TideScript
import Testing

/// Each script has one mistake, marked by `^^` before it.
@Suite struct `Where a check reports mistakes` {
  private let check: ScriptCheck

  init() throws { check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL()) }

  private static let fruit = """
    local fruit = model 'fruit' { name = 'fig', count = 1, seeds = { { w = 1 }, { w = 2, x = 1 } },
      address = { city = 'Kyiv' }, kind = property { enum = { 'a', 'b' } }, any = property {},
      ripen = function(self) self.count = self.count + 1 end }

    """
  private static let shown =
    fruit + """
      show(view.column { view.label { id = 'title', text = 'x' }, view.field { id = 'editor' } })

      """

  /// Checks the script without its mark, and expects one problem, at the mark.
  private func expectOne(_ marked: String, says word: String) {
    let parts = marked.split(separator: "^^", maxSplits: 1, omittingEmptySubsequences: false)
    let before = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let location = (before.count, (before.last?.count ?? 0) + 1)
    let found = check.check(parts.joined(), path: "app.lua")
      .filter { $0.error.code != .unusedModel }
    #expect(found.count == 1, "\(found.map(\.error.message))")
    guard let told = found.first?.diagnostic else { return }
    #expect(told.line == location.0, "\(told.message)")
    #expect(told.column == location.1, "\(told.message)")
    #expect(told.message.contains(word), "\(told.message)")
  }

  @Test(arguments: [
    ("local x = ^^= 1", "'='"), ("if true then\n  print(1)\n^^", "'end' expected"),
    ("local x <const> = 1\n^^x = 2\nprint(x)", "const variable"),
    ("local x <^^final> = 1\nprint(x)", "final"), ("goto ^^done\nprint(1)", "done"),
    ("goto ^^done\nlocal x = 1\n::done::\nprint(x)", "jumps into the scope"),
    ("do ::a:: end\n::a::\n::^^a::", "already defined"), ("^^break", "outside"),
    ("print(\"\\^^q\")", "escape"), ("print('a\\^^300')", "escape"),
    ("print('\\x^^zz')", "hexadecimal"),
    ("print(^^'abc)\n", "unfinished string"), ("x = [[abc\nprint(1)\n^^", "unfinished long string"),
    ("for i = 1 ^^do end", "'do'"), ("return 1\n^^print(2)", "print"), ("print(1 // ^^)", "')'"),
    ("local a ^^+= 1", "'+'"), ("local function f() print(^^...) end f()", "..."),
    ("local s = 'héllo' print(s + ^^^ 2)", "'^'"),
  ])
  func `syntax errors are where the interpreter stops`(marked: String, word: String) {
    expectOne(marked, says: word)
  }

  @Test(arguments: [
    ("local n = 1\nif ^^m_n == n then print(1) end", "m_n"),
    ("local name = 'x'\nif ^^nmae == name then print(1) end", "\"name\""),
    ("local ready = true\nif ^^redy then print(ready) end", "\"ready\""),
    ("local default = 1\nprint(fetch or ^^defualt, default)", "\"default\""),
    ("local name = 'x'\nprint(name .. ^^naem or '')", "\"name\""),
    ("local value = 1\nprint({ a = ^^valeu }, value)", "\"value\""),
    ("os.^^exit(1)", "\"exit\""), ("local s = 'x' print(s:^^uper())", "\"upper\""),
  ])
  func `mistyped names are located`(marked: String, word: String) {
    expectOne(marked, says: word)
  }

  @Test(arguments: [
    ("bind 'fruit.name -> title.^^txet'", "\"text\""),
    ("bind 'fruit.seeds.^^@cuont -> title.text'", "@count"),
    ("bind 'fruit.seeds.^^count -> title.text'", "\"@count\""),
    ("bind 'fruit.seeds.@sum.^^v -> title.text'", "\"v\""),
    ("bind 'fruit.seeds[1].^^v -> title.text'", "\"v\""),
    ("bind 'fruit.name.^^name -> title.text'", "name is a string"),
    ("bind 'fruit.count.^^x -> title.text'", "count is a number"),
    ("bind 'fruit.kind.^^x -> title.text'", "kind is a string"),
    ("bind 'fruit.^^name[1] -> title.text'", "not a list"),
    ("bind 'fruit.name.^^@count -> title.text'", "summarizes a list"),
    ("bind 'fruit.^^@superview -> title.text'", "starts from a view"),
    ("bind 'fruit.address.^^ctiy -> title.text'", "\"city\""),
    ("bind 'title.@superview.^^tga -> fruit.count'", "\"tag\""),
    ("bind 'title.superview.superview.^^tga -> fruit.count'", "\"tag\""),
    ("bind 'title.@rootview.^^tga -> fruit.count'", "\"tag\""),
    ("bind 'title.@cell.^^indx -> fruit.count'", "\"index\""),
    ("bind 'title.@superviewWithClass[cell].^^indx -> fruit.count'", "\"index\""),
    ("bind 'title.@superviewWithClass[^^clumn].tag -> fruit.count'", "\"column\""),
    ("bind 'title.@superviewWithID[^^tilte].tag -> fruit.count'", "\"title\""),
    ("bind('name -> ^^txet', fruit, views.title)", "\"text\""),
    ("bind('name -> text', fruit, views.title, { deliver = ^^'never' })", "\"settle\""),
    ("local b = binding 'name <> text' b:^^conect(fruit, views.editor)", "\"connect\""),
    ("local b = bind 'fruit.name -> title.text' print(b.^^enabeld)", "\"enabled\""),
    ("every(1, print):^^cancle()", "\"cancel\""),
    ("spawn(print):^^cancle()", "\"cancel\""),
    ("print(fruit.seeds:^^apend(1))", "\"append\""),
    ("print(fruit.seeds[1].^^v)", "\"v\""),
    ("print(fruit.name:^^uper())", "\"upper\""),
    ("views.title.^^txet = 'x'", "\"text\""), ("views.title:^^focsu()", "\"focus\""),
    ("local l = view.label {} print(l.^^txet)", "\"text\""),
    ("print(controller.list { content = {}, ^^srot = 'name' })", "\"sort\""),
    ("controller.list {}:^^selectNxt()", "\"selectNext\""),
    ("local c = controller.tree {} print(c.^^selecton)", "\"selection\""),
    (
      "return view.column { dataObject = fruit, view.label { bindTo = { text = '@superview.dataObject.^^nmae' } } }",
      "\"name\""
    ),
    (
      "return view.row { dataObject = fruit, view.label { bindTo = { text = 'dataObject.^^nmae' } } }",
      "\"name\""
    ),
  ])
  func `mistyped steps and members are located in their string`(marked: String, word: String) {
    expectOne(Self.shown + marked, says: word)
  }

  @Test(arguments: [
    ("local P = class 'P' { first = '' }\nlocal p = P {} print(p.^^frist)", "\"first\""),
    (
      "local P = class 'P' { a = '', full = computed(function(self) return self.^^b_ end) }\nprint(P)",
      "\"b_\""
    ),
    ("model 'm' { a = 1, twice = function(self) return 2 * self.^^b end, init = print }", "\"b\""),
    (
      "return object { a = 1, b = property { validate = function(self, v) return self.^^aa end } }",
      "\"aa\""
    ),
    ("local P = class 'P' { a = property { type = ^^'strng' } }\nprint(P {})", "\"string\""),
    ("transformer('t', { ^^tranform = print })", "\"transform\""),
    ("transformer 't' { ^^revers = print, transform = print }", "\"reverse\""),
    (
      "view.component('card', { properties = { title = '' }, view = function(self) return view.label { text = self.^^titel } end })",
      "\"title\""
    ),
  ])
  func `mistakes in declarations are located at their keys and values`(
    marked: String, word: String
  ) { expectOne(marked, says: word) }

  @Test(arguments: [
    "bind 'fruit.any.x -> title.text'", "bind 'fruit.any[1].x -> title.text'",
    "bind 'fruit.seeds[1].x -> title.text'", "bind 'fruit.seeds.@max.x -> title.text'",
    "fruit.address = { street = 'x' } bind 'fruit.address.street -> title.text'",
    "fruit.seeds:append { depth = 1 } print(fruit.seeds[3].depth)",
    "bind 'title.dataObject.x -> fruit.name' bind 'title.superview.columns -> fruit.name'",
    "bind 'title.@superviewWithClass[view].spacing -> fruit.count'",
    "bind 'title.@superviewWithClass[UITableViewCell].index -> fruit.count'",
    "print(fruit.name:upper():len(), fruit.seeds:map(print):filter(print), fruit:ripen())",
    "views.title:add(view.label {}) print(views.title.restorationIdentifier, views.title.keys)",
    "local l = feed { fetch = print } l:fetchMore() print(l.isFetching, l.hasMore)",
    "local c = controller.list { content = fruit.seeds, name = 'rows' } print(c.selection.x)",
    "bind('name -> text', fruit, views.title):connect(fruit, views.editor):unbind()",
    "resource(print, { name = 'weather' }) bind 'weather.value.x -> title.text'",
    "stdin.lines { name = 'lines' } return view.label { bindTo = { text = 'lines.received' } }",
    "process.lines('ls', {}, { name = 'names' }) return view.label { bindTo = { text = 'names.error' } }",
    "local B = class 'B' { area = function(self) return self.side end } local C = class('C', B) { side = 1 } print(C)",
    "fruit.any = 1 local s = fruit.any print(s.x) s = 2",
    "return view.column { dataObject = fruit, view.label { bindTo = { text = '@superview.dataObject.address.city' } } }",
    "local v = view.row { dataObject = fruit, view.label { bindTo = { text = 'dataObject.zip' } } } v.dataObject = object { zip = 1 }",
    "if jit then jit.off() end local u = table.unpack or unpack print(u)",
    "local o = object { d = property { type = 'dict', default = { a = 1 } } } print(o.d.unheard)",
    "local o = object { d = dict { a = 1 } } bind('d.unheard -> text', o, views.title)",
    "if loaded then print(loaded) end", "local t = into or _G t.x = 1 print(y)",
    "for k, v in pairs(string) do string[k .. '_'] = v end print(('x'):upper_())",
    "local concat, class = table.concat, require 'tidelock' print(concat, class)",
  ])
  func `nothing is reported that may be right`(text: String) {
    let found = check.check(Self.shown + text, path: "app.lua")
      .filter { $0.error.code != .unusedModel }
    #expect(found.isEmpty, "\(found.map(\.error.message))")
  }

  // The time limits catch work that does not end. Other tests may keep the machine busy.
  private static let minutes = 60

  @Test(.timeLimit(.minutes(minutes)))
  func `thousands of uses of a large table are checked, and mistakes in them reported`() {
    let fields = (0..<5000).map { "f\($0) = \($0)" }.joined(separator: ", ")
    let rows = String(repeating: "{ w = 1 }, ", count: 5000)
    var text = "local o = object { \(fields), rows = { \(rows) } }\n"
    for index in 0..<5000 { text += "print(o.f\(index), o.rows[\(index + 1)].w)\n" }
    #expect(check.check(text, path: "app.lua").isEmpty)
    let found = check.check(text + "print(o.g, o.rows[1].v)", path: "app.lua")
    #expect(found.map(\.error.location?.column) == [9, 22])
  }

  @Test(.timeLimit(.minutes(minutes)))
  func `thousands of mistakes among thousands of properties are all reported`() {
    let fields = (0..<5000).map { "field_\($0) = \($0)" }.joined(separator: ", ")
    var text = "local o = object { \(fields) }\n"
    for index in 0..<5000 { text += "print(o.feild_\(index))\n" }
    let found = check.check(text, path: "app.lua")
    #expect(found.count == 5000)
    #expect(found.first?.error.message.hasSuffix("did you mean \"field_0\"?") == true)
    #expect(found.last?.error.location == SourceLocation(file: "app.lua", line: 5001, column: 9))
  }

  @Test(.timeLimit(.minutes(minutes)))
  func `thousands of mistakes among thousands of variables are all reported`() {
    var text = ""
    for index in 0..<2000 { text += "known_name_\(index) = 1\nprint(unknown_name_\(index))\n" }
    let found = check.check(text, path: "app.lua")
    #expect(found.count == 2000)
    #expect(found.last?.error.location == SourceLocation(file: "app.lua", line: 4000, column: 7))
  }
}
