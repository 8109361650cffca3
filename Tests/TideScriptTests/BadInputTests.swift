import TideBindings
import TideGraph
import TideLua
import TideScript
import Testing

/// What scripts give that the API does not take.
@Suite struct `Bad input` {
  @Test(arguments: [
    (
      "bind('n -> n', a, b, { initial = 3 })",
      "the option \"initial\" of bind is true or false, not 3"
    ),
    (
      "bind('n -> n', a, b, { enabled = 'yes' })", "the option \"enabled\" of bind is true or false"
    ),
    ("bind('n -> n', a, b, { name = 7 })", "the option \"name\" of bind is a string, not 7"),
    (
      "bind('n -> n', a, b, { format = true })",
      "the option \"format\" of bind is a string, not true"
    ),
    (
      "bind('n -> n', a, b, { observe = 3 })", "the option \"observe\" of bind is a function, not 3"
    ),
    ("bind('a.n -> b.n', { roots = 5 })", "the option \"roots\" of bind is a table of names"),
    (
      "bind('a.n -> b.n', { roots = { a = 5 } })",
      "the option \"roots\" of bind is a table of names"
    ),
    ("bind('n -> n', a, b, { transfrom = print })", "did you mean \"transform\"?"),
    ("bind('n -> n', a, b, { transform = 5 })", "a transformer is a function, or a table"),
    ("bind('n -> n', a, 5)", "data object expected, got number"),
    (
      "view.label { bindTo = 'a.n' }",
      "bindTo maps names of properties to expressions; it is not \"a.n\""
    ),
    ("view.label { bindTo = { text = 5 } }", "bindTo.text is an expression, or a table"),
    ("view.label { bindTo = { txet = 'a.n' } }", "did you mean \"text\"?"),
    ("view.button { on = 5 }", "on maps names of events to functions; it is not 5"),
    ("view.button { on = { touchUpInsde = print } }", "did you mean \"touchUpInside\"?"),
    ("view.button { keys = 'x' }", "keys maps names of keys to functions; it is not \"x\""),
    ("view.list { cell = 5 }", "cell is a function that gives a row's view; it is not 5"),
    ("view.column { padding = 'wide' }", "column.padding is a number of cells"),
    ("view.column { padding = -1 }", "column.padding is a number of cells"),
    ("view.column { margin = { tpo = 1 } }", "column.margin is a number of cells"),
    ("view.column { padding = 0/0 }", "column.padding is a number of cells"),
    ("view.label { text = {} }", "label.text holds string, not object"),
    ("view.column { view.label {}, 5 }", "the subviews of column are views or functions, not 5"),
    ("list { 1, nil, 3, x = 1 }", "a list takes the elements 1, 2, …"),
    ("dict { [1] = 2 }", "a dict's keys are strings; found 1"),
    ("every(0, print)", "more than 0 seconds expected"),
    ("after('soon', print)", "number expected, got string"),
  ])
  func `a wrong argument is refused, and the message says what was expected`(
    script: String, message: String
  ) throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate("a, b = object { n = 1 }, object { n = 2 }", as: Value.self)
    let error = #expect(throws: TideError.self) { try runtime.evaluate(script, as: Value.self) }
    #expect(error?.message.contains(message) == true, "\(error as Any)")
    #expect(try runtime.evaluate("1 + 1", as: Value.self) == 2)
  }

  @Test func `bytes that are no text stay as they are wherever they go`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      bytes = 'a\\0b\\xff\\xfe\\xf0\\x28\\0'
      o, p, q = object { s = '' }, object { s = '' }, object { s = '' }
      o.s = bytes
      l = list { bytes, 'x' }
      l:append(bytes)
      l[2] = bytes
      d = dict { [bytes] = bytes }
      transformer('same', function(s) return s end)
      bind('s <> s', o, p)
      bind('s -> s | same', p, q)
      view1 = view.label { text = bytes }
      seen = {}
      observe(p, 's', function(new, old) seen = { new, old } end)
      """, as: Value.self)
    for expression in [
      "o.s", "p.s", "q.s", "l[1]", "l[2]", "l[3]", "view1.text", "object { s = bytes }.s",
      "list { bytes }:totable()[1]",
    ] {
      #expect(
        try runtime.evaluate("\(expression) == bytes", as: Value.self) == true, "\(expression)")
    }
    try runtime.evaluate("p.s = '\\xfe' .. bytes", as: Value.self)
    #expect(try runtime.evaluate("o.s == '\\xfe' .. bytes and q.s == o.s", as: Value.self) == true)
    #expect(try runtime.evaluate("seen[1] == p.s and seen[2] == bytes", as: Value.self) == true)
    #expect(try runtime.evaluate("l:indexOf(bytes)", as: Value.self) == 1)
    // Keys, too, are told apart by their bytes.
    try runtime.evaluate(
      "d['\\xfe'] = 1 d['\\xff'] = 2 d['\\u{e9}'] = 3 d['e\\u{301}'] = 4", as: Value.self)
    #expect(
      try runtime.evaluate(
        "d['\\xfe'] * 1000 + d['\\xff'] * 100 + d['\\u{e9}'] * 10 + d['e\\u{301}']", as: Value.self)
        == 1234)
    #expect(try runtime.evaluate("d[bytes] == bytes and #d == 5", as: Value.self) == true)
    try runtime.evaluate(
      "found = {} for key, value in pairs(d) do found[key] = value end", as: Value.self)
    #expect(
      try runtime.evaluate("found[bytes] == bytes and found['\\xff'] == 2", as: Value.self) == true)
  }

  @Test func `what is printed arrives byte for byte`() throws {
    var printed: [[UInt8]] = []
    var configuration = Runtime.Configuration()
    configuration.printBytes = { printed.append(Array($0)) }
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    try runtime.evaluate("print('a\\0\\xff') print('ä', 1)", as: Value.self)
    #expect(printed == [[97, 0, 255], Array("ä\t1".utf8)])
  }

  @Test(arguments: ["model", "class"])
  func `fields after the name in one call are refused`(word: String) throws {
    let runtime = try Runtime(file: "test.lua")
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("\(word)('fruit', { name = '' })", as: Value.self)
    }
    let fault = "the fields follow the name without a comma: \(word) \"fruit\" { … }"
    #expect(error?.message.contains(fault) == true, "\(error as Any)")
  }

  @Test func `a transformer that returns nothing gives nil, as one that returns it`()
    throws
  {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      transformer('nothing', function() end)
      transformer('null', function() return nil end)
      a, b, c = object { n = 1 }, object { n = 2 }, object { n = property { default = 3 } }
      bind('n -> n | nothing', a, b)
      c.n = 7
      bind('n -> n | null', a, c)
      """, as: Value.self)
    #expect(try runtime.evaluate("b.n", as: Value.self) == 2)
    // It may not be nil, so nil becomes its default.
    #expect(try runtime.evaluate("c.n", as: Value.self) == 3)
    #expect(runtime.errors.isEmpty)
  }

  @Test func `what names that are found set off may wait for others`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      transformer('more', function(n)
        bind('late.n -> later.n')
        return n
      end)
      bind('early.n -> target.n | more')
      model 'early' { n = 1 }
      model 'target' { n = 0 }
      """, as: Value.self)
    runtime.settle()
    _ = runtime.loop.turn(timeout: 0)
    runtime.turn(timeout: 0)
    #expect(try runtime.evaluate("models.target.n", as: Value.self) == 1)
    try runtime.evaluate("model 'late' { n = 7 } model 'later' { n = 0 }", as: Value.self)
    runtime.turn(timeout: 0)
    #expect(try runtime.evaluate("models.later.n", as: Value.self) == 7)
  }

  @Test func `what a dict lets go of may read it`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      d = dict {}
      do
        local owner = object {}
        d.owner = owner
        context(owner, function()
          effect(function() return function() seen = tostring(d.owner) .. #d end end)
        end)
      end
      for i = 1, 20 do collectgarbage() end
      d.owner = nil
      for i = 1, 20 do collectgarbage() end
      """, as: Value.self)
    runtime.lua.collectGarbage()
    try runtime.evaluate("object {}", as: Value.self)
    runtime.settle()
    #expect(try runtime.evaluate("seen", as: Value.self) == "nil0")
  }

  @Test func `a transformer may let go of what it is to write`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      a = object { s = 'one' }
      holder = { object { s = '' } }
      transformer('drop', function(s)
        holder[1] = nil
        for i = 1, 20 do collectgarbage() end
        return s .. (' and a text that needs memory'):rep(10)
      end)
      bind('s -> s | drop', a, holder[1])
      for i = 1, 50 do a.s = 'two ' .. i end
      """, as: Value.self)
    runtime.lua.collectGarbage()
    runtime.settle()
    #expect(try runtime.evaluate("a.s", as: Value.self) == "two 50")
  }

  @Test(arguments: [
    ("sleep(null)", "got null"), ("spawn(unchanged)", "got unchanged"),
    ("after(NoSelection, print)", "got NoSelection"),
  ])
  func `that is a marker is called by its name`(_ script: String, _ message: String) throws {
    let runtime = try Runtime(file: "test.lua", configuration: Runtime.Configuration())
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate(script, as: Value.self)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
