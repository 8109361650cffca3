import TestFolders
import TideBindings
import TideCheck
import TideScript
import TideStore
import TideTest
import Testing

/// Mistakes of people who have just read the articles, and correct code that looks alike.
@Suite struct `Ordinary mistakes` {
  private func told(_ text: String, path: String = "app.lua") throws -> [String] {
    try ScriptCheck(specs: .tidelock, sql: LiteralSQL()).check(text, path: path).map {
      "\($0.error.code.name): \($0.error.message)"
    }
  }

  private func expect(_ text: String, tells words: String, path: String = "app.lua") throws {
    let found = try told(text, path: path)
    #expect(found.count == 1 && found.first?.contains(words) == true, "\(text): \(found)")
  }

  // MARK: Lua

  @Test(arguments: [
    ("print(('a'):match('(%a'))", "unfinished capture"),
    ("print(('a'):find('[%a'))", "missing ']'"),
    ("print(('a'):gsub('a%', 'b'))", "ends with '%'"),
    ("print(string.gmatch('a', 'a)'))", "invalid pattern capture"),
    ("print(('a'):match('%1a'))", "invalid capture index %1"),
    ("print(('a'):match('%f'))", "missing '[' after '%f'"),
    ("print(('a'):gsub('(a)', '%2'))", "invalid capture index %2"),
    ("print(('a'):gsub('a', '50%'))", "write %% for a percent sign"),
    ("local function f(s) return s:match('(%d+') end print(f '1')", "unfinished capture"),
    ("print(os.date('%Y-%Q'))", "no directive \"%Q\""), ("print(os.time('2026-03-14'))", "a table"),
  ])
  func `a pattern or a format that the library refuses is reported`(text: String, says: String)
    throws
  {
    try expect(text, tells: says)
  }

  @Test(arguments: [
    "print(('a'):match('^[%]%a]()(%b())%f[%w]%1?$'))", "print(('a'):find('(', 1, true))",
    "print(('a'):gsub('%a', '<%0%1%%>'))", "print(('a'):gsub('[^]]-', ''))",
    "print(os.date('!%x %X %Ey %Od %%'))", "print(os.time { year = 2026, month = 3, day = 14 })",
  ])
  func `a correct one is not`(text: String) throws { #expect(try told(text) == []) }

  @Test(arguments: [
    ("local age = 3 print(0 < age < 130)", "and age < …"),
    ("local n = 1 print('n: ' .. (n == 1))", "true or false"),
    ("local s = ('a 3'):match('%d') print(s < 3)", "write tonumber(…)"),
    ("local a, b = ('1-2'):match('(%d)-(%d)') print(a, b > 1)", "write tonumber(…)"),
    ("local s = 'n ' .. print(1)", "print returns nothing"),
    ("local m = model 'm' { n = 1 } print(m) m.n = m.n", "to itself"),
    ("local function f(x) local x = now() return x end print(f(1))", "is a parameter already"),
    ("for i, v in ipairs do print(i, v) end", "write ipairs(…)"),
    ("local l = list {} print(l.indexOf > 0)", "is a method"),
    ("print(process.run('git') == 0)", "is an object with"),
    ("print(file.read('a').text)", "which has no property \"text\""),
  ])
  func `values that Lua cannot use so are reported`(text: String, says: String) throws {
    let found = try told(text)
    #expect(found.contains { $0.contains(says) }, "\(text): \(found)")
  }

  @Test(arguments: [
    "local a, b = 1, 2 print(a < b and b < 3, (a < b) == (b < 3))",
    "local a, b = ('1-2'):match('()-(%d)') print(a < 3, b)",
    "local function f(x) local x = x or 1 return x end print(f())",
    "local function f(x) print(x) local y = x return y end print(f(1))",
    "local a = { n = 1 } local b = { n = 2 } a.n = b.n print(a.n)",
  ])
  func `correct ones are not`(text: String) throws { #expect(try told(text) == []) }

  // MARK: Lists and models

  @Test(arguments: [
    ("local l = list { 1 } local f = l:filter(function(n) return n > 0 end) f:append(2)", "edit l"),
    ("local l = list { 1 } table.insert(l:sorted(), 2)", "edit l"),
    ("local c = controller.list { content = list { 1 } } c.arrangedObjects:append(2)", "c:add(…)"),
    ("local l = list { 'a', nil, 'b' } print(l)", "element 2 is nil"),
    ("local m = model 'm' { l = { 'a', nil, 'b' } } print(m)", "element 2 is nil"),
    ("local l = list { 1 } l:append(nil)", "a list holds no nil"),
    ("local m = model 'm' { l = list {} } local o = object { n = 1 } m.l = o", "holds list"),
    (
      "local c = controller.list { content = list { { n = 1 } } } c.selectionIndex = c.content",
      "selectionIndex holds a whole number"
    ),
    ("local C = class 'C' { n = 1 } local c = C({}, 2) print(c)", "one too many"),
    ("local o = object { n = 1 } table.insert(o, 2)", "is an object"),
    ("local o = object { canExecute = true } print(o)", "a command needs execute"),
    ("local o = object { canExecute = true, exeucte = function() end } print(o)", "\"execute\""),
    ("local m = model { a = 1 } print(m)", "a model has a name"),
    ("local o = object { n = property { type = 'string', default = 0 } } print(o)", "as default"),
    ("print(isa('C', object {}))", "the object first"),
  ])
  func `values that lists and objects refuse are reported`(text: String, says: String) throws {
    try expect(text, tells: says)
  }

  @Test(arguments: [
    "local l = list { 1 } l:append(2) l:filter(function(n) return n > 0 end):observe(print)",
    "local l = list { 'a', nil } print(l)", "local m = model 'm' { n = property {} } m.n = list {}",
    "local o = object { canExecute = true, execute = function() end } print(o)",
  ])
  func `those that they take are not`(text: String) throws { #expect(try told(text) == []) }

  @Test func `a model that a script declares twice is reported`() throws {
    try expect(
      "local a = model 'm' { n = 1 }\nlocal b = model 'm' { n = 2 } print(a, b)",
      tells: "is declared at line 1 already")
    #expect(
      try told("if arg[1] then model 'm' { n = 1 } else model 'm' { n = 2 } end print(models.m)")
        == [])
  }

  // MARK: Waiting and fetching

  @Test(arguments: [
    "local o = object { n = computed(function() sleep(1) return 1 end) } print(o)",
    "effect(function() print(ask { text = 'Now?' }) end)",
    "local o = object { n = 1 } observe(o, 'n', function() if o.n > 1 then sleep(1) end end)",
    "local l = list { 1 } print(l:filter(function(n) sleep(n) return true end))",
    "show(view.label { text = function() return file.read('a.txt') end })",
    "store.open('a.db'):transaction(function() sleep(1) end)",
  ])
  func `a wait where nothing can wait is reported`(text: String) throws {
    try expect(text, tells: "async: ")
  }

  @Test(arguments: [
    "effect(function() spawn(function() sleep(1) end) end)",
    "effect(function() print(pcall(function() sleep(1) end)) end)",
    "spawn(function() sleep(1) end)", "undo.group('a', function() sleep(1) end)",
    "show(view.button { on = { touchUpInside = function() sleep(1) end } })",
    "print(resource(function() sleep(1) return file.read('a') end))",
  ])
  func `a wait in a task is not`(text: String) throws { #expect(try told(text) == []) }

  @Test(arguments: [
    ("print(resource(http.get('http://localhost/a').json))", "calls the function at once"),
    ("print(resource(function() http.get('http://localhost/a') end))", "write return"),
    ("print(http.get('localhost/a'))", "begins with http://"),
    ("print(process.run('git status'))", "(\"git\", { \"status\" })"),
    ("print(process.run('git', { timeout = 5 }))", "before the options"),
    ("log('saved')", "write log.info(…)"), ("strings { Save = 'Sichern' }", "maps locales"),
    ("transformer('tone', { ok = 'green', otherwise = 'red' })", "write [otherwise]"),
    ("store.open('a.db'):keep(list {})", "keeps a list under a name"),
    ("local s = 'a' local function f(n) return n:split(' ') end print(f(s))", "gmatch"),
  ])
  func `arguments that cannot be meant are reported`(text: String, says: String) throws {
    let found = try told(text)
    #expect(found.contains { $0.contains(says) }, "\(text): \(found)")
  }

  @Test(arguments: [
    "local host = arg[1] print(http.get('http://' .. host), http.get(host .. '/a'))",
    "print(process.run('my tool', { 'a' }), process.run('/opt/my app/run'))",
    "local rows = list {} print(resource(function() rows:set(http.get('http://a').json) end))",
  ])
  func `arguments that may be meant are not`(text: String) throws { #expect(try told(text) == []) }

  // MARK: Rows of queries

  @Test func `a write to a row of a query is reported unless the rows have a class`() throws {
    let start = """
      class "fig" { id = 0, name = "" }
      local db = store.open("a.db")
      db:migrate { "CREATE TABLE fig (id INTEGER PRIMARY KEY, name TEXT)" }

      """
    try expect(
      start + "local all = db:list('SELECT id, name FROM fig')\nall[1].name = 'a'",
      tells: "readOnly: the rows of a query are read only")
    let editable = "local all = db:list('SELECT id, name FROM fig', nil, { class = 'fig' })\n"
    #expect(try told(start + editable + "all[1].name = 'a'") == [])
  }

  // MARK: Views

  @Test(arguments: [
    ("local function save() end show(view.button { on = save })", "on is a table"),
    ("show(view.numberField { minimum = 9, maximum = 1 })", "less than its minimum"),
    (
      "local m = model 'm' { n = 1 } print(m) show(view.field { bindTo = { text = { '<> m.n' } } })",
      "write path = \"<> m.n\""
    ),
    (
      "local l = list { { n = 1 } } local c = controller.list { name = 'c', content = l } print(c) "
        + "show(view.list { items = l, bindTo = { selectedIndex = '<> c.selectedObject' } })",
      "selectedIndex holds integer"
    ),
    ("show(view.column { { view.keyBar {} } })", "not a table"),
    ("show(view.field { id = 'a' }) views.a.focus = true", "is a method of views"),
  ])
  func `values that views refuse are reported`(text: String, says: String) throws {
    try expect(text, tells: says)
  }

  // MARK: Syntax

  @Test func `an else if that lacks its end is reported where it stands`() throws {
    let text =
      "local n = now()\nif n > 1 then\n  print(1)\nelse if n > 2 then\n  print(2)\nend\nprint(3)\n"
    let error = try #require(
      try ScriptCheck(specs: .tidelock).check(text, path: "app.lua").first?.error)
    #expect(error.location?.line == 4 && error.location?.column == 1)
    #expect(error.message.hasSuffix("write elseif"))
    #expect(try told(text.replacing("print(3)", with: "end")) == [])
  }

  @Test func `a break outside of a loop is reported where it stands`() throws {
    let text = "local function f(n)\n  if n then break end\n  print(n)\nend\nf(1)\n"
    let error = try #require(
      try ScriptCheck(specs: .tidelock).check(text, path: "app.lua").first?.error)
    #expect(error.location?.line == 2 && error.location?.column == 13, "\(error)")
  }

  // MARK: Modules

  @Test func `a module that forgets its result is reported at its end`() throws {
    let folder = try ScratchFolder()
    folder.write("local m = {}\nfunction m.one() return 1 end\n", to: "m.lua")
    folder.write("local m = require 'm'\nprint(m.one())\n", to: "app.lua")
    let problems = try ScriptCheck(specs: .tidelock).run([folder.path]).flatMap(\.problems)
    #expect(problems.map(\.error.location?.line) == [2])
    #expect(problems.first?.error.message.contains("write return m") == true, "\(problems)")
  }

  @Test func `modules that require each other are reported unless one waits for a call`() throws {
    let folder = try ScratchFolder()
    folder.write("local b = require 'b'\nreturn { n = b.n }\n", to: "a.lua")
    folder.write("local a = require 'a'\nreturn { n = 1, a = a }\n", to: "b.lua")
    folder.write("print(require 'a')\n", to: "app.lua")
    let check = try ScriptCheck(specs: .tidelock)
    let problems = try check.run([folder.path]).flatMap(\.problems)
    #expect(problems.map(\.error.code) == [.module], "\(problems)")
    #expect(problems.first?.error.location?.file.hasSuffix("b.lua") == true)
    folder.write("return { n = 1, a = function() return require 'a' end }\n", to: "b.lua")
    #expect(try check.run([folder.path]).flatMap(\.problems).isEmpty)
  }

  // MARK: Specs

  @Test(arguments: [
    ("assert.equal({ 1 }, { 1 })", "write assert.same"),
    ("show(view.label { id = 'a', text = 'x' }) assert.equal(2, views.a.text)", "never equal"),
    ("local m = model 'm' { n = 1 } assert.same('1', m.n)", "never equal"),
    ("local l = list { 1 } assert.has_error(l:remove(1))", "calls the function at once"),
    ("local m = model 'm' { on = true } assert.eventually(m.on)", "takes a function"),
    ("assert:equal(1, 1)", "write assert.equal(…)"),
  ])
  func `assertions that cannot pass are reported`(text: String, says: String) throws {
    try expect(text, tells: says, path: "a_spec.lua")
  }

  @Test func `assertions that can are not`() throws {
    let text = "assert.is_not.equal({}, {}) assert.same({ 1 }, list { 1 }) assert.equal(1, now())"
    #expect(try told(text, path: "a_spec.lua") == [])
  }
}
