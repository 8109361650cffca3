import TestFolders
import TideBindings
import TideCheck
import TideScript
import TideTest
import Testing

/// Slips of beginners and of people who come from other languages, and correct code that looks
/// alike.
@Suite struct `Common slips` {
  /// The codes of the problems of a text.
  private func codes(_ text: String) throws -> [String] {
    try problems(text).map(\.error.code.name)
  }

  private func problems(_ text: String) throws -> [Problem] {
    try ScriptCheck(specs: .tidelock).check(text, path: "app.lua")
  }

  private func messages(_ text: String) throws -> [String] {
    try problems(text).map(\.error.message)
  }

  // MARK: Sorting

  @Test(arguments: [
    "local t = { 1, 2 } table.sort(t, function(a, b) return a >= b end)",
    "local t = { { n = 1 } } table.sort(t, function(a, b) return a.n <= b.n end)",
    "local t = { 'a' } local n = {} table.sort(t, function(a, b) return n[a] <= n[b] end)",
    "local t = { { n = 1 } } table.sort(t, function(a, b) return a.n < a.n end)",
    "local t = { { n = 1 } } table.sort(t, function(a, b) return a.n - b.n end)",
    "local t = { 'a' } table.sort(t, function(a, b) return a:lower() <= b:lower() end)",
    "local l = list { 1 } print(l:sorted(function(a, b) return a >= b end))",
    "local c = controller.list { content = list { 1 }, sort = function(a, b) return a <= b end } print(c)",
    "local l = list { object { n = 1 } } print(l:sorted())",
  ])
  func `a comparator that gives no order is reported`(text: String) throws {
    #expect(try codes(text) == ["noOrder"])
  }

  @Test(arguments: [
    "local t = { 1, 2 } table.sort(t, function(a, b) return a > b end)",
    "local t = { { n = 1, m = 1 } } table.sort(t, function(a, b) if a.n ~= b.n then return a.n < b.n end return a.m < b.m end)",
    "local t = { { n = 1, m = 1 } } table.sort(t, function(a, b) return a.n < b.n or a.n == b.n and a.m < b.m end)",
    "local t = { 1 } table.sort(t, function(a) return a <= 1 end)",
    "local t = { { from = 1, to = 1 } } table.sort(t, function(a, b) return a.to <= b.from end)",
    "local l = list { 2, 1 } print(l:sorted(), l:sorted(function(n) return n <= 1 end))",
  ])
  func `an order is not`(text: String) throws { #expect(try codes(text) == []) }

  @Test func `tables cannot be sorted or joined without a function`() throws {
    let text = "local t = { { n = 2 }, { n = 1 } } table.sort(t) print(table.concat(t))"
    #expect(try codes(text) == ["libraryArguments", "libraryArguments"])
  }

  // MARK: Loops

  @Test(arguments: [
    "spawn(function() while true do log.info('tick') end end)",
    "local m = model 'm' { n = 1 } spawn(function() while true do m.n = m.n + 1 end end)",
    "local i, t = 1, { 1 } while i <= #t do print(t[i]) end",
    "local i = 1 repeat print(i) until i > 3",
    "local m = model 'm' { done = false } while not m.done do print(m.done) end",
    "local function poll() print(1) end while true do poll() end",
  ])
  func `a loop that nothing ends is reported`(text: String) throws {
    #expect(try codes(text) == ["endlessLoop"])
  }

  @Test(arguments: [
    "spawn(function() while true do sleep(1) end end)", "while true do end",
    "local i, t = 1, { 1 } while i <= #t do i = i + 1 end",
    "local t = { 1 } while #t > 0 do print(table.remove(t)) end",
    "while true do if now() > 3 then break end print(1) end",
    "local function f() while true do if now() > 3 then return end print(1) end end f()",
    "repeat local x = 1 print(x) until x == 1",
    "while true do for i = 1, 2 do print(i) if i == 3 then goto done end end end ::done::",
    "local co = coroutine.wrap(function() while true do coroutine.yield(1) end end) print(co())",
    "print(pcall(function() while true do print(1) end end))",
    "local function step(f) while true do f() end end step(print)",
    "local m = object { n = 1, left = computed(function(s) return 3 - s.n end) } "
      + "while m.left > 0 do m.n = m.n + 1 end",
  ])
  func `a loop that may end is not`(text: String) throws { #expect(try codes(text) == []) }

  @Test func `the break of an inner loop does not end the outer one`() throws {
    let text = "while true do for i = 1, 2 do print(i) break end end"
    #expect(try codes(text) == ["endlessLoop"])
  }

  // MARK: Results

  @Test(arguments: [
    "local s = ('a'):rep(3) s:gsub('a', 'b') print(s)",
    "local function f(name) name:upper() return name end print(f('a'))",
    "local rows = list { { n = 1 } } rows:sorted('n')", "tostring(3)", "string.upper('a')",
    "math.floor(2.5)", "local t = {} table.concat(t, ',')",
    "local f = view.field {} trigger.event(f, 'editingDidEnd') print(f)",
  ])
  func `a result that nothing uses is reported`(text: String) throws {
    #expect(try codes(text) == ["unusedResult"])
  }

  @Test(arguments: [
    "local s, n = ('a'):rep(3), 0 s:gsub('a', function() n = n + 1 end) print(n)",
    "local rows = list { { n = 1 } } rows:move(1, 1)", "table.sort { 2, 1 }",
    "math.randomseed(1)", "print(pcall(function() tostring() end))",
    "local box = { upper = function() print(1) end } box:upper()",
  ])
  func `a call with an effect is not`(text: String) throws {
    #expect(try codes(text).filter { $0 != "methodCall" } == [])
  }

  // MARK: Plain tables and dicts

  @Test(arguments: [
    ("local t = { 1, 2 } print(t.length)", "write #t"),
    ("local t = {} t:push(1)", "write table.insert(t, …)"),
    ("local t = {} t.insert(1)", "write table.insert(t, …)"),
    ("local t = { 1 } print(t[0])", "begin with 1"),
    ("local t = { 1, 2 } table.insert(t, 12, 1)", "1 to 3"),
    ("local t = { 1 } for i = 0, #t do print(t[i]) end", "write for i = 1, #t do"),
    ("local t = { 1 } for i = 0, #t - 1 do print(t[i]) end", "write for i = 1, #t do"),
    ("local d = dict { a = 1 } print(d:get('a'))", "write d[key]"),
    ("local m = model 'm' { d = dict {} } m.d:set('a', 1)", "write m.d[key] = value"),
    ("local d = dict {} for k in d do print(k) end", "pairs(d)"),
    ("local d = dict {} for _, v in ipairs(d) do print(v) end", "write pairs"),
    ("print(dict { 'a' })", "keys are texts"),
    ("local t = { 1 } for i = 1, t do print(t[i]) end", "write #t"),
    ("local t = { 1 } for i in 1, #t do print(i) end", "write for i = 1, #t do"),
    ("local words = { 'a' } for word in ipairs(words) do print(word) end", "for _, word in"),
    ("local t, i = { 1 }, 1 print(i <= t)", "write #t"),
  ])
  func `elements that another language has are reported`(text: String, says: String) throws {
    let found = try messages(text)
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    "local t = { 1 } t.length = 3 print(t.length)", "local t = { [0] = 1, 2 } print(t[0])",
    "local t = { 1 } t[0] = 2 print(t[0]) for i = 0, #t do print(t[i]) end",
    "local t = { 1 } for i = 0, #t - 1 do print(t[i + 1]) end",
    "local t = {} table.insert(t, 1) table.insert(t, 1, 2)",
    "local t = { 1 } if t[0] then print(t) end",
    "local d = dict { show = print } d.show(1) print(#d, d.a)",
    "local d = dict {} for k, v in pairs(d) do print(k, v) end",
    "local all = { 1 } for i in ipairs(all) do print(i) end",
  ])
  func `elements that are there are not`(text: String) throws { #expect(try codes(text) == []) }

  // MARK: Tests with one outcome

  @Test(arguments: [
    ("local m = model 'm' { name = '' } if m.name then print(1) end", "write m.name ~= \"\""),
    ("local m = model 'm' { n = 0 } print(not m.n)", "write m.n ~= 0"),
    ("local m = model 'm' { name = '' } print(m.name == nil)", "never nil"),
    ("local m = model 'm' { day = '' } print(m.day == 'sat' or 'sun')", "write or m.day == 'sun'"),
    ("local m = model 'm' { day = '' } print(not m.day == 'sat')", "write m.day ~= 'sat'"),
    ("local m = dict {} print(m.a or 0 + 1)", "write (m.a or 0) + …"),
    ("local p = null p = 1 print(p)", "write nil"),
    ("local a = ask { buttons = { 'Yes' } } print(a == 'No')", "no button \"No\""),
  ])
  func `a test that always has one outcome is reported`(text: String, says: String) throws {
    let found = try messages(text)
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    "local m = model 'm' { note = property {} } if m.note then print(m.note == nil) end",
    "local m = model 'm' { name = '' } if m.name == nil or m.name == '' then print(1) end",
    "local m = model 'm' { on = true } if m.on then print(not m.on) end",
    "local m = model 'm' { day = '' } print(m.day == 'sat' and 'a' or 'b')",
    "local m = model 'm' { on = true } print(not m.on == false)",
    "local rows = list { null } print(rows[1] == null)",
    "local a = ask { buttons = { 'Yes' } } print(a == 'Yes')",
    "local o = {} print(o.ms or 60 * 60)",
  ])
  func `a test with several outcomes is not`(text: String) throws {
    #expect(try codes(text) == [])
  }

  // MARK: Functions and arguments

  @Test(arguments: [
    (
      "local p = property { validate = function(s, v) if v < 0 then return nil, 'no' end end } print(p)",
      "write return v"
    ),
    (
      "local p = property { validate = function(v) if v < 0 then return nil, 'no' end return v end } print(p)",
      "write function(self, v)"
    ),
    ("local m = model 'm' { a = '' } bind('a -> text', m)", "lacks an argument, \"right\""),
    ("local function add(a, b) return a * b end print(add(1, 'x'))", "computes with its \"b\""),
    (
      "local d = dict {} local function cost(a, n) local p = d[a] if not p then return 0 end "
        + "return p * n end print(cost('a'))", "lacks an argument, \"n\""
    ),
    ("local function f(name) return name.upper() end print(f('a'))", "write name:upper(…)"),
    ("local function f(name) return name:toUpper() end print(f('a'))", "\"upper\""),
    ("print(feed { page = 3 })", "fetch = function"),
    ("print(http.request { method = 'GET' })", "url = "),
    ("view.component('card', { properties = {} })", "view = function"),
    ("file.write(json.encode({}), 'a.json')", "the path first"),
    ("local l = list {} file.write('a.json', l)", "l is a list"),
    ("local S = class 'S' { n = 0 } print(S('a'))", "takes a table"),
    ("local S = class 'S' { n = 0 } print(S:new { n = 1 })", "S { … }"),
    ("local S = class 'S' { n = 0 } local s = S {} print(s:n())", "write s.n"),
    ("local o = object { n = 1 } observe(o, function(new) print(new) end)", "name first"),
    ("local l = list { 1 } print(l:filter(function(n, i) return n > i end))", "always nil"),
    (
      "local function save() print(1) end return view.button { on = { touchUpInside = function() return save end } }",
      "write save()"
    ),
    ("local function n() return 1 end print(n .. ' rows')", "write n()"),
    ("local m = model 'm' { n = 0 } m.n = now", "write now()"),
    ("local function f(path) return io.read(path) end print(f('a'))", "file.read(path)"),
    ("local function n() print(1) end print(n() .. 'a')", "n returns nothing"),
    ("local function n() print(1) end local x = n() print(x)", "n returns nothing"),
    ("local m = model 'm' { n = 0, t = '' } m.n = m.t", "write tonumber(…)"),
    ("local m = model 'm' { t = '' } print(m.t) m = ''", "write m.property"),
    ("local t = { 1, 2 } for i = #t, 1 do print(t[i]) end", "#t, 1, -1"),
    ("local p = class 'P' { } print(p, class 'C' : p { })", "class(\"C\", p)"),
    (
      "local function f() print(1) end return view.column { keys = { F2 = { title = 'a', run = f() } } }",
      "calls the function at once"
    ),
    ("return view.column { keys = { F2 = { title = 'a' } } }", "needs a function"),
    (
      "local function t() return 'a' end return view.label { text = function() return t end }",
      "write t()"
    ),
    ("print(1 + '1 more')", "cannot be computed"),
    ("local l = list {} print(('%d'):format(l))", "write #l"),
    ("local function try() return 1 end if try then print(1) end", "write try()"),
    ("local t = { 1 } t = table.sort(t) print(t)", "returns nothing"),
    ("local l = list {} l:insert(0, 1)", "begins with element 1"),
    ("local m = object { n = 1 } observe(m.n, function() print(1) end)", "m.n is a number"),
    ("log.info { count = 1 }", "a message first"),
    ("local S = class 'S' { n = 0 } local n = 1 print(S { n })", "write n = n"),
    (
      "local m = model 'm' { t = 'EUR' } local function f(a) return a * 2 end print(f(m.t))",
      "begins as \"EUR\""
    ),
    (
      "local m = object { n = 1 } return view.label { bindTo = { text = m.n } }", "a path as a text"
    ),
  ])
  func `a function or an argument that cannot work is reported`(
    text: String, says: String
  ) throws {
    let found = try messages(text)
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    "local p = property { validate = function(_, v) if v < 0 then return nil, 'no' else return v end end } print(p)",
    "local p = property { validate = function(_, v) if v < 0 then return v end error('no') end } print(p)",
    "local function add(a, b) return a * (b or 1) end print(add(1))",
    "local save = print local done = save == print print(done, save and 1)",
    "local m = model 'm' { n = 0, t = '' } m.n = tonumber(m.t) or 0 m.t = tostring(m.n)",
    "local function f() error('no') end local x = f() print(x)", "print(1 + ' 12 ', 1 + '0x10')",
    "local t = { 1, 2 } for i = #t, 1, -1 do print(t[i]) end for i = #t, 4 do print(i) end",
    "local function add(a, b) if not b then return a end return a * b end print(add(1))",
    "local function draw(kind, size) if kind == 'line' then return 1 end return size * 2 end print(draw('line'))",
    "local function add(a, b) return a * b end print(add(1, '2'))",
    "local l = list { 1 } print(l:filter(function(n, _) return n > 1 end))",
    "local o = object { n = 1 } observe(o, function(name, new) print(name, new) end)",
  ])
  func `a function that works is not`(text: String) throws { #expect(try codes(text) == []) }

  @Test func `a variable that hides the one which is meant is reported`() throws {
    let text = """
      local ticker = nil
      local function start() local ticker = every(1, print) end
      local function stop() ticker:cancel() end
      start() stop()
      """
    let check = try ScriptCheck(specs: .tidelock)
    let folder = try ScratchFolder()
    folder.write(text, to: "app.lua")
    let found = try check.run([folder.path]).flatMap(\.problems)
    #expect(found.count == 1 && found[0].error.message.contains("that of line 1"), "\(found)")
  }

  // MARK: Missing ends

  @Test(arguments: [
    ("local function f()\n  if now() > 1 then\n    print(1)\nend\nf()", "\"if\" of line 2", 3),
    ("every(1, function()\n  if now() > 1 then print(1)\nend)", "\"if\" of line 2", 2),
    ("local function f()\n  print(1)\n\nlocal x = 1\nprint(x, f)", "\"function\" of line 1", 2),
    ("for i = 1, 3 do\n  print(i)\n", "\"for\" of line 1", 2),
  ])
  func `a missing end is told with its block, and inserted`(
    text: String, says: String, line: Int
  ) throws {
    let found = try problems(text)
    #expect(found.count == 1 && found[0].error.message.contains(says), "\(found)")
    let lines = ScriptLines(Array(text.utf8))
    let fix = try #require(found.first?.fix(in: lines))
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8))
    #expect(try problems(String(decoding: bytes, as: UTF8.self)).isEmpty)
    #expect(lines.location(of: fix.range.lowerBound).line == line)
  }

  @Test func `an error that no end mends gets no such advice`() throws {
    #expect(try messages("if x the\n  print(1)\nend").allSatisfy { !$0.contains("has no end") })
    #expect(try messages("print(1))").allSatisfy { !$0.contains("has no end") })
  }
}
