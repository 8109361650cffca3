import TideBindings
import TideCheck
import TideStore
import TideTest
import TideScript
import Testing

@Suite struct `Mistakes found without running` {
  private let check: ScriptCheck

  init() throws {
    check = try ScriptCheck(hostNames: ["fetch"], specs: .tidelock, sql: LiteralSQL())
  }

  private func problems(_ text: String, path: String = "app.lua") -> [Problem] {
    check.check(text, path: path)
  }

  struct Mistake: CustomTestStringConvertible, Sendable {
    let text: String
    let code: TideError.Code
    /// What the message says.
    let says: String
    var testDescription: String { text }

    init(_ text: String, _ code: TideError.Code, _ says: String) {
      (self.text, self.code, self.says) = (text, code, says)
    }
  }

  private static let store = "local db = store.open 'a.db' "
  private static let fruit = "local fruit = model 'fruit' { name = 'fig', count = 1 } "

  @Test(arguments: [
    Mistake("local x = = 1", .scriptSyntax, "unexpected symbol"),
    Mistake("prnt('x')", .unknownGlobal, "did you mean \"print\""),
    Mistake("local total = 1; print(totla)", .unknownGlobal, "did you mean \"total\""),
    Mistake("do local x = 1 end print(x)", .unknownGlobal, "\"x\""),
    Mistake("for i = 1, 2 do end print(i)", .unknownGlobal, "\"i\""),
    Mistake("local x = x", .unknownGlobal, "\"x\""),
    Mistake("print(string.fromat('x'))", .unknownMember, "string.format"),
    Mistake("print(math.flor(1.5))", .unknownMember, "math.floor"),
    Mistake("trigger.chnge()", .unknownMember, "trigger.change"),
    Mistake("print(hot.dta)", .unknownMember, "hot.data"),
    Mistake("context.bgin()", .unknownMember, "context.begin"),
    Mistake("print(tidelock.modle)", .unknownMember, "tidelock.model"),
    Mistake("view.label { style = 'tittle' }", .badArgument, "did you mean \"title\""),
    Mistake("view.label { style = { 'bold', 'acent' } }", .badArgument, "\"accent\""),
    Mistake("view.label { style = { bold = true } }", .wrongType, "a text with names"),
    Mistake(
      "style.define('danger', {}) view.label { style = 'dangr' }", .badArgument,
      "did you mean \"danger\""),
    Mistake("style.define('a', { textColour = 'red' })", .unknownProperty, "\"textColor\""),
    Mistake("style.define('a', { focused = { bald = true } })", .unknownProperty, "\"bold\""),
    Mistake("style.define('a', { textColor = 'rde' })", .badColor, "did you mean \"red\""),
    Mistake("style.defin('a', {})", .unknownMember, "did you mean \"style.define\""),
    Mistake("rich.blod 'x'", .unknownMember, "did you mean \"rich.bold\""),
    Mistake(
      "view.row { keys = { F2 = { tilte = 'New', run = print } } }", .badArgument,
      "did you mean \"title\""),
    Mistake("app.theme = 'drak'", .badArgument, "did you mean \"dark\""),
    Mistake("app.them = 'dark'", .unknownProperty, "did you mean \"theme\""),
    Mistake("print(app.them)", .unknownMember, "did you mean \"app.theme\""),
    Mistake("view.label { bindTo = { text = 'app.titel' } }", .unknownProperty, "\"title\""),
    Mistake("view.row { padding = { letf = 1 } }", .wrongType, "did you mean \"left\""),
    Mistake("view.table { columns = { { titel = 'A' } } }", .unknownProperty, "\"title\""),
    Mistake("view.table { columns = { 'a', { align = 'centre' } } }", .badArgument, "\"center\""),
    Mistake("view.row { keys = { ['Crtl-S'] = print } }", .badKey, "did you mean \"Ctrl-S\""),
    Mistake(store + "db:rum('SELECT 1')", .unknownProperty, "did you mean \"run\""),
    Mistake(store + "db:list('SELECT 1', nil, { clas = 'a' })", .badArgument, "\"class\""),
    Mistake(store + "print(db.eror)", .unknownProperty, "\"error\""),
    Mistake("session.kep(app)", .unknownMember, "did you mean \"session.keep\""),
    Mistake(fruit + "session.keep(fruit, 3)", .badArgument, "argument 2 of session.keep"),
    Mistake("on(app, 'wilQuit', print)", .unknownEvent, "did you mean \"willQuit\""),
    Mistake("on(app, 'touchUpInside', print)", .unknownEvent, "app sends no event"),
    Mistake("os.execute('ls')", .unknownMember, "the host can allow run"),
    Mistake("io.open('x')", .unknownMember, "the host can allow read=DIR"),
    Mistake("dofile('x.lua')", .unknownGlobal, "sandbox"),
    Mistake(fruit + "bind 'fruit.name => t.text'", .missingOperator, "expected an arrow"),
    Mistake(fruit + "bind 'frut.name -> fruit.count'", .unresolvedName, "did you mean \"fruit\""),
    Mistake(fruit + "bind 'fruit.nmae -> fruit.count'", .unknownProperty, "did you mean \"name\""),
    Mistake(
      fruit + "view.label { id = 'title' } bind 'fruit.name -> title.txet'", .unknownProperty,
      "did you mean \"text\""),
    Mistake(fruit + "bind 'fruit.name -> fruit.count | nubmer'", .unknownTransformer, "\"number\""),
    Mistake(fruit + "bind 'fruit.name -> fruit.count | scale'", .badArgument, "scale"),
    Mistake(fruit + "bind 'fruit.name <> fruit.count | trim'", .irreversible, "no reverse"),
    Mistake(
      fruit + "transformer('up', function(s) return s end) bind 'fruit.name <> fruit.count | up'",
      .irreversible, "no reverse"),
    Mistake("binding 'a -> '", .missingRight, "expected"),
    Mistake(fruit + "bind('name -> x', fruit, object { y = 1 })", .unknownProperty, "\"x\""),
    Mistake(fruit + "bind('nmae -> name', fruit, fruit)", .unknownProperty, "\"name\""),
    Mistake(fruit + "bind('name -> name', fruit, fruit, { nul = 1 })", .badArgument, "\"null\""),
    Mistake(fruit + "observe(fruit, 'cuont', print)", .unknownProperty, "\"count\""),
    Mistake(fruit + "observe(fruit, 'count', print, { inital = true })", .badArgument, "initial"),
    Mistake(fruit + "why(fruit, 'a..b')", .syntax, "after \".\""),
    Mistake(fruit + "ref(fruit, 'name', 'upercase')", .unknownTransformer, "uppercase"),
    Mistake(fruit + "print(fruit.nmae)", .unknownProperty, "\"name\""),
    Mistake(fruit + "fruit.nmae = 'x'", .unknownProperty, "\"name\""),
    Mistake(fruit + "fruit:ripen()", .unknownProperty, "method \"ripen\""),
    Mistake(fruit + "print(models.friut)", .unknownModel, "\"fruit\""),
    Mistake("model 'x'", .syntax, "without its fields"),
    Mistake("local x = model 'x' print(x.a)", .syntax, "without its fields"),
    Mistake("shared 'x'", .syntax, "write shared \"x\""),
    Mistake("local r = shared('r', { title = '' }) print(r.titel)", .unknownProperty, "\"title\""),
    Mistake("local r = shared 'r' { title = '' } r.titel = 'x'", .unknownProperty, "\"title\""),
    Mistake(
      "shared('r', { title = '' }) return view.label { bindTo = { text = 'r.titel' } }",
      .unknownProperty, "\"title\""),
    Mistake("return view.lable {}", .unknownView, "\"label\""),
    Mistake("return view.label { txet = '' }", .unknownProperty, "\"text\""),
    Mistake("return view.label { textColor = 'rad' }", .badColor, "\"red\""),
    Mistake("return view.label { align = 'centre' }", .wrongType, "\"center\""),
    Mistake(
      "return view.label { bindTo = { txet = 'tag' } }", .unknownProperty, "did you mean \"text\""),
    Mistake(
      fruit + "return view.label { bindTo = { text = 'friut.name' } }", .unresolvedName, "fruit"),
    Mistake(
      fruit + "return view.label { bindTo = { text = { path = 'fruit.nam' } } }", .unknownProperty,
      "name"),
    Mistake("return view.label { bindTo = { text = '<> ' } }", .missingRight, "expected"),
    Mistake(
      "return view.label { bindTo = { text = '@superviewWithClass[clel].tag' } }", .unknownView,
      "cell"),
    Mistake(
      "return view.button { on = { touchUpInsde = print } }", .unknownEvent, "touchUpInside"),
    Mistake("return view.field { id = 'a' }, views.b", .unknownView, "\"b\""),
    Mistake("local P = property { defualt = 1 }", .badArgument, "default"),
    Mistake(
      "view.component('card', { properties = { title = '' }, view = print }) view.card { tilte = 1 }",
      .unknownProperty, "title"),
    Mistake(
      "local P = class 'P' { first = '' } local p = P { frist = 'x' }", .unknownProperty, "first"),
    Mistake("local l = list {} l.append(1)", .methodCall, "write l:append(…)"),
    Mistake(fruit + "print(json:encode({}))", .methodCall, "write json.encode(…)"),
    Mistake("every(print)", .badArgument, "lacks an argument, \"fn\""),
    Mistake("every(1, print, 2)", .badArgument, "every takes 2 arguments"),
    Mistake("every(true, print)", .badArgument, "is a number, not true"),
    Mistake("list {}:move(1)", .badArgument, "lacks an argument, \"to\""),
    Mistake(
      fruit + "observe(fruit, 'name', print, { initial = 1 })", .badArgument, "true or false"),
    Mistake(
      "resource(print, { every = 'often' })", .badArgument, "\"every\" of resource is a number"),
    Mistake("view.label { text = 1 }", .wrongType, "label.text holds string"),
    Mistake("view.label { width = true }", .wrongType, "label.width"),
    Mistake("view.label { on = { touchUpInside = print } }", .unknownEvent, "label has no event"),
    Mistake(
      "view.menu { items = { { title = 'a', comand = print } } }", .unknownProperty, "\"command\""),
    Mistake("view.list { rowStyle = function() return 'mutd' end }", .badArgument, "\"muted\""),
    Mistake(
      "local rows = list { { a = 1 } } rows:filter(function(r) return r.b end)", .unknownProperty,
      "\"b\""),
    Mistake(
      "local rows = list { { size = 1 } } print(rows:sorted('-szie'))", .unknownProperty, "\"size\""
    ),
    Mistake(
      "view.table { items = list { { size = 1 } }, columns = { { path = 'szie' } } }",
      .unknownProperty, "\"size\""),
    Mistake(
      "view.table { columns = { 'name', { path = 'size', key = 'big' } }, sort = '-size' }",
      .badArgument, "no column has the key"),
    Mistake(
      "local rows = list { { size = 1 } } local function cell() return view.cell { "
        + "view.label { bindTo = { text = 'dataObject.szie' } } } end "
        + "view.list { items = rows, cell = cell }", .unknownProperty, "\"size\""),
    Mistake(
      "local o = object { size = 1 } view.component('card', { view = function(self) return view.label { "
        + "bindTo = { text = 'dataObject.szie' } } end }) view.card { dataObject = o }",
      .unknownProperty, "\"size\""),
    Mistake(
      "local v = view.row { id = 'v' } v.keys = { F2 = { tilte = 'x', run = print } }",
      .badArgument,
      "\"title\""),
    Mistake("local v = view.label { id = 'v' } v.style = 'mutde'", .badArgument, "\"muted\""),
    Mistake("local v = view.label { id = 'v' } v.text = 1", .wrongType, "label.text holds string"),
    Mistake(
      "local s = controller.settings { name = 'a', initialValues = { theme = 'x' } } "
        + "print(s.values.thmee)", .unknownProperty, "\"theme\""),
    Mistake("local t = { save = print } t.sav()", .unknownMember, "t has no \"sav\""),
    Mistake(
      store + "for _, r in ipairs(db:list('SELECT id, name FROM a')) do print(r.nmae) end",
      .unknownProperty, "\"name\""),
    Mistake(
      "for _, r in (list { { name = 'a' } }):each() do print(r.nmae) end", .unknownProperty,
      "\"name\""),
    Mistake("on(view.row {}, 'key', function(_, e) print(e.kye) end)", .unknownProperty, "\"key\""),
    Mistake(
      fruit + "bind('name <> name', fruit, fruit, { transform = function(v) return v end })",
      .irreversible, "a function has no reverse"),
    Mistake(
      "model 'window' { title = '' } return view.label { bindTo = { text = 'window.title' } }",
      .unresolvedName, "also the name of a model"),
    Mistake(
      "model 'text' { name = '' } return view.label { bindTo = { text = 'text.name' } }",
      .unresolvedName, "from which \"text.name\" leads nowhere"),
    Mistake("  ", .scriptError, "empty"),
  ])
  func `what cannot work is an error`(mistake: Mistake) throws {
    // A model whose name is misspelt where it is used also counts as unused.
    let found = problems(mistake.text).filter { $0.error.code != .unusedModel }
    let problem = try #require(found.first)
    #expect(found.count == 1, "\(found.map(\.error.message))")
    #expect(problem.severity == .error)
    #expect(problem.error.code == mistake.code)
    #expect(problem.error.message.contains(mistake.says), "\(problem.error.message)")
    #expect(problem.error.location?.file == "app.lua")
  }

  @Test(arguments: [
    Mistake("model 'lonely' { a = 1 }", .unusedModel, "\"lonely\""),
    Mistake("local lonely = model 'lonely' { a = 1 }", .unusedModel, "\"lonely\""),
    Mistake("local list = {} print(list)", .hiddenName, "tidelock.list"),
    Mistake("function on() end on()", .hiddenName, "tidelock.on"),
    Mistake(
      store + "db:run('DELETE FROM a WHERE b = ' .. tostring(os.time()))", .composedSQL, "write ?"),
    Mistake(
      store + "local s = ('SELECT %s'):format(tostring(os.time())) db:value(s)", .composedSQL,
      "write ?"),
    Mistake(
      store + "db:row(string.format('SELECT %s', tostring(os.time())))", .composedSQL,
      "db:row(\"… ?\""),
    Mistake(
      "return view.column { view.label { id = 'a' }, view.label { id = 'a' } }", .duplicate, "\"a\""
    ),
    Mistake("local function f(a) return a end f(1, 2)", .extraArgument, "f takes one argument"),
    Mistake("local t = { f = function() end } t:f()", .methodCall, "write t.f(…)"),
    Mistake(
      "transformer('a', print) transformer('b', print) binding 'x -> y | a'", .unusedTransformer,
      "\"b\""),
    Mistake(fruit + "binding 'fruit.name -> fruit.count'", .unreachableBinding, ":connect"),
    Mistake(
      "local P = class 'P' { name = '', age = 1 } "
        + "local c = controller.list { objectClass = P } c:add { nmae = 'x' }", .unknownProperty,
      "\"name\""),
    Mistake(
      "list { { size = 1, n = 1 }, { size = 2, n = 2 }, { szie = 3, n = 3 } }", .unknownProperty,
      "did you mean \"size\""),
    Mistake(
      "local l = list { { size = 1, n = 1 } } l:append { n = 2, szie = 2 }", .unknownProperty,
      "did you mean \"size\""),
    Mistake(
      fruit + "bind('fruit.name -> fruit.count', { trigger = trigger.manual() })",
      .unreachableBinding, ":fire()"),
    Mistake(
      fruit + "local v = view.label { bindTo = { text = 'fruit.name' } } return view.label {}",
      .unreachableBinding, "never shown"),
    Mistake("local l = list { 1, 2 } for i = 1, #l do l:remove(i) end", .changedLoop, "ipairs"),
    Mistake(
      "local l = list { { n = 1 } } local s = l:sorted('n') for i = 1, #s do s[i].n = 2 end",
      .changedLoop, "the list follows \"n\""),
    Mistake(
      "local l = list { { n = 1 } } local f = l:filter(function(r) return r.n > 0 end) "
        + "for i = 1, #f do local row = f[i] row.n = 0 end", .changedLoop, "the list follows \"n\""),
    Mistake(
      "local l = list { { n = 1 } } local c = controller.list { content = l, sort = 'n' } "
        + "for i = 1, #c.arrangedObjects do c.arrangedObjects[i].n = 3 end", .changedLoop,
      "ipairs"),
  ])
  func `what works but is hardly intended is a warning`(mistake: Mistake) throws {
    let found = problems(mistake.text)
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.error.code == mistake.code)
    #expect(found.first?.error.message.contains(mistake.says) == true)
    #expect(found.first?.diagnostic.text().contains("warning[W0") == true)
  }

  @Test(arguments: [
    "local screen = { tell = function() end } screen.tell('done') return screen",
    "local l = list { 1, 2 } for i = #l, 1, -1 do l:remove(i) end",
    "local l = list { 1, 2 } for i = 1, #l do if l[i] == 2 then l:remove(i) break end end",
    "local l = list { 1, 2 } for _, v in ipairs(l) do l:removeObject(v) end",
    "local l = list { { n = 1, m = 1 } } local s = l:sorted('n') for i = 1, #s do s[i].m = 2 end",
    "x = 1 print(x)", "function f() return f end print(f)", "_G.y = 1 print(y)",
    "setmetatable(_G, { __index = print }) print(anything)",
    "if jit then print(jit == nil) end local x = foo or 1", "print(type(nothing))",
    "local bind = tidelock.bind local view = view return view.label {}, bind",
    "local tidelock = require 'tidelock' tidelock.model 'a' { b = 1 } bind 'a.b -> a.b'",
    "local o = object { [1 .. ''] = 2 } print(o.x)",
    "local f = model 'f' { a = 1 } pcall(function() print(f.b, nothing) end)",
    "local name = arg[1] model(name) { a = 1 } bind(name .. '.a -> b.c')",
    "bind('a.b -> c.d', { roots = { a = 1, c = 2 } })",
    "view.label { bindTo = { text = { path = 'a.b', roots = { a = object { b = 1 } } } } }",
    "print(models.host.load) bind 'host.load -> host.load'",
    "local ids = { 'a' } for _, i in ipairs(ids) do view.label { id = i } end print(views.a)",
    "view.label { id = 'a' .. 1 } print(views.a1) bind 'a1.text -> a1.tooltip'",
    "for _, t in ipairs { 'x' } do transformer(t, print) end binding 'a -> b | x'",
    "local m = model 'm' m { a = 1 } print(m)", "local M = model 'm' { a = 1 } return M",
    "model 'm' { init = print }", "print(fetch('x'))",
    "local function hidden(list, on) return list, on end return hidden",
    "goto done do local x <const> = 1 print(x) end ::done::",
    "return function(...) local a <close> = nil print(select('#', ...)) end",
    "repeat local x = 1 until x == 1",
    "local B = class 'B' { a = 1 } local C = class('C', B) { b = 2 } print(C { a = 1, b = 2 }.a)",
    "view.tree { items = {}, children = function() end }",
    "transformer('t', { transform = print, reverse = print }) binding 'a <> b | t'",
    "local db = store.open 'a' local t = 'a' db:run('SELECT * FROM ' .. t .. ' WHERE b = ?', { arg[1] })",
    "local db = store.open 'a' db:run(('SELECT %d'):format(3)) print(db.path, db.error) db:flush()",
    "local db = store.open 'a' local m = model 'm' { n = 1 } session.keep(m) session.keep(m, db)",
    "local db = store.open 'a' if not session.keep(list {}, 'rows', db) then print 'not kept' end",
    "list { { a = 1, size = 1 }, { a = 2, size = 2 }, { a = 3, sizes = 2, size = 3 } }",
    "list { { size = 1 }, { sizes = 2 } } list { { ab = 1 }, { ab = 2 }, { zz = 3 } }",
    "view.component('c', { view = function() return view.label { bindTo = { text = 'dataObject.b' } } end }) "
      + "view.c { dataObject = object { a = 1 } } view.c {}",
    "local M = { a = 1 } for k in pairs(arg) do M[k] = 1 end print(M.b)",
    "local a a = { x = 1 } a.y = 2 print(a.x, a.y)", "local f f = function(a) return a end f(1)",
    "local function f(...) return ... end f(1, 2) local g = print g(1, 2, 3)",
    "local l = list { 1, 2 } l.append(l, 3)",
    "local rows = list {} rows:append(arg[1]) for _, r in ipairs(rows) do print(r.anything) end",
    "local B = class 'B' { go = function(self) end } local b = B {} B.go(b) b.go(b)",
    "local function both() return 1, print end after(both()) print(select('#', after(both())))",
    "local o = object { a = 1 } observe(o, function(name) print(name) end) after('1', print)",
    "print(#'a' .. [[x]] .. 0x1p4 .. 1e-3 // 2 ~ 3 << 1)",
  ])
  func `nothing is reported that is right or cannot be known`(text: String) {
    let found = problems(text)
    #expect(found.isEmpty, "\(found.map(\.error.message))")
  }

  @Test func `the location is that of the word in the expression`() throws {
    let problem = try #require(
      problems("local t = 1\nlocal b = binding \"a -> b | upercase\" print(t, b)").first)
    #expect(problem.error.location == SourceLocation(file: "app.lua", line: 2, column: 29))
  }

  @Test func `a spec has the words of the runner and the whole library`() {
    let text =
      "describe('a', function() it('b', function() ui.mount('app.lua') clock.advance(1) "
      + "assert.is_true(io ~= nil and os.getenv('X') == nil) debug.traceback() end) end)"
    #expect(problems(text, path: "spec/a_spec.lua").isEmpty)
    #expect(!problems(text).isEmpty)
  }

  @Test(arguments: [
    ("resource(print, { evry = 2 })", "resource has no option \"evry\"; did you mean \"every\"?"),
    ("stream(print, { limt = 2 })", "did you mean \"limit\"?"),
    ("undo.manager { object {}, limt = 3 }", "undo.manager has no option \"limt\""),
    ("ask { txt = 'x' }", "ask has no option \"txt\"; did you mean \"text\"?"),
    ("ask.choice { itms = {} }", "ask.choice has no option \"itms\""),
    ("print(http.get('http://a', { timout = 1 }))", "http.get has no option \"timout\""),
    ("print(json.encode({}, { indnt = 1 }))", "json.encode has no option \"indnt\""),
    ("resource(print, { zzzz = 2 })", "resource has no option \"zzzz\"; there are "),
    ("view.label { zzzz = 2 }", "label has no property \"zzzz\"; there are "),
    ("view.table { columns = { { zzzz = 2 } } }", "a column has no \"zzzz\"; there are "),
  ])
  func `options of functions are known before they are called`(text: String, message: String) {
    let found = problems(text).map(\.error.message)
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }

  @Test func `the runtime knows the names of the options of bind and property`() throws {
    let runtime = try Runtime(file: "app.lua")
    let plain = "default = 1, type = 'number', nullable = true, readonly = true"
    for options in ["{ \(plain), description = '', validate = print }", "{ enum = { 'a' } }"] {
      let text = "return tostring(select(2, pcall(property, \(options))))"
      #expect(try !runtime.evaluate(text, as: String.self).contains("has no option"))
      #expect(problems("return property \(options)").isEmpty)
    }
    for member in ["begin", "finish", "clear", "enable", "disable", "list"] {
      #expect(try runtime.evaluate("return type(context.\(member))", as: String.self) == "function")
    }
    for member in ["data", "dispose", "accept", "reloads"] {
      #expect(problems("print(hot.\(member), context.list)").isEmpty)
    }
  }
}
