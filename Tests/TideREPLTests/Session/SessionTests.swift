import Testing
import TideBindings
import TideGraph
import TideLua
import TideScript

@testable import TideREPL

@Suite struct `A session` {
  let runtime: Runtime
  let session: Session

  init() throws {
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = VirtualClock()
    runtime = try Runtime(file: "app.lua", configuration: configuration)
    session = try Session(runtime)
    try runtime.evaluate(
      """
      fruit = model "fruit" { name = "apple", count = 2 }
      label = view.label { id = "title", bindTo = { text = "fruit.name" } }
      show(view.column { label, view.field { id = "editor" } })
      """, as: Value.self)
  }

  private func lines(_ text: String) -> [String] {
    switch session.run(text) {
    case .values(let lines): return lines
    case .failed(let error): return ["\(error.code): \(error.message)"]
    case .unfinished: return ["unfinished"]
    case .quit: return ["quit"]
    }
  }

  @Test func `looks around in memory that a script has filled, and lets go of it`() throws {
    runtime.lua.setMemoryLimit(16 << 20)
    try runtime.evaluate("kept = {}", as: Value.self)
    #expect(throws: TideError.self) {
      try runtime.evaluate("while true do kept = { kept } end", as: Value.self)
    }
    for _ in 0..<10 {
      #expect(lines("fruit.name") == ["\"apple\""])
      #expect(lines("local n = fruit.count return n * 2") == ["4"])
    }
    #expect(lines("kept = nil") == [])
    #expect(lines("#('x'):rep(1000000)") == ["1000000"])
  }

  @Test func `shows a raised function`() {
    let raised = lines("error(print)").first ?? ""
    #expect(raised.contains("function") && !raised.contains("error object"), "\(raised)")
  }

  @Test func `declares classes that databases find by name`() throws {
    #expect(throws: TideError.self) { try runtime.objectFactory(ofClass: "Boat") }
    _ = lines("class 'Boat' { length = 0 }")
    let boat = try runtime.objectFactory(ofClass: "Boat").make(["length": 3])
    #expect(boat["length"] == 3)
  }

  @Test func `shows the value of an expression and none of a statement`() {
    #expect(lines("1 + 1") == ["2"])
    #expect(lines("x = 5") == [])
    #expect(lines("x, 'a'") == ["5", "\"a\""])
    #expect(lines("  ") == [])
    #expect(lines("print") == ["a function"])
    #expect(lines("function() end") == ["function (repl:5:1)"])
  }

  @Test func `shows no text that could steer a terminal`() {
    #expect(lines(#"'\27]0;x\7'"#) == [#""\27]0;x\7""#])
    #expect(lines(#"'\0271\u{9b}\u{202e}'"#) == [#""\0271\u{9b}\u{202e}""#])
    #expect(lines(#"{ ['a\27\nb'] = 1 }"#) == [#"{ ["a\27\nb"] = 1 }"#])
    #expect(lines(#"dict { ['a\27'] = 1 }"#) == [#"dict { ["a\27"] = 1 }"#])
    #expect(lines(#"#dump('\27')"#) == ["5"])
    _ = lines(#"models.fruit.name = '\27[2J'"#)
    #expect(lines(":models") == [#"fruit = fruit { count = 2, name = "\27[2J" }"#])
    for command in [":views", ":why fruit.name", ":bindings", ":depends fruit.name"] {
      #expect(!lines(command).joined().contains("\u{1b}"))
    }
  }

  @Test func `shows a text that is not UTF-8 as a script would write it`() {
    #expect(lines(#"'\xff\xfeab"é'"#) == [#""\xff\xfeab\"é""#])
    #expect(lines(#"{ ['\xc3('] = '\x80\27' }"#) == [#"{ ["\xc3("] = "\x80\27" }"#])
    #expect(lines("('x'):rep(3000) .. '\\xff'").first?.hasSuffix("x…\"") == true)
  }

  @Test func `shows a table as it says itself, and what is raised as a value`() {
    let own = "setmetatable({ 1 }, { __tostring = function() return 'me' end })"
    #expect(lines(own) == ["me"])
    #expect(lines("{ a = \(own) }") == ["{ a = me }"])
    #expect(lines("setmetatable({ 1 }, { __tostring = function() error('no') end })") == ["{ 1 }"])
    #expect(lines("setmetatable({ 1 }, { __name = 'point' })") == ["point { 1 }"])
    #expect(lines("setmetatable({}, { __name = 'a\\27[2Jb' })") == ["a\\27[2Jb {}"])
    #expect(lines("error({ code = 5 })") == ["scriptError: { code = 5 }"])
    #expect(lines("error(\(own))") == ["scriptError: me"])
    #expect(
      lines("await(spawn(function() error({ code = 6 }) end))") == ["scriptError: { code = 6 }"])
    _ = lines("observe(fruit, 'count', function() error({ code = 7, why = 'no' }) end)")
    _ = lines("fruit.count = 9")
    #expect(lines("errors()[1].message") == [#""{ code = 7, why = \"no\" }""#])
    #expect(lines(":errors").first?.contains(#"{ code = 7, why = "no" }"#) == true)
  }

  @Test func `says what timers, observations and tasks are`() {
    #expect(lines("every(0.5, function() end)") == ["timer: every 0.5 s"])
    #expect(
      lines("local t = after(2, function() end) t:cancel() return t")
        == ["timer: after 2 s (cancelled)"])
    #expect(lines("observe(models.fruit, 'name', function() end)") == ["observation: name"])
    #expect(lines("observe(models.fruit, function() end)") == ["observation"])
    #expect(lines("effect(function() end)") == ["effect"])
    #expect(lines("on(views.editor, 'focus', function() end)") == ["handler: focus"])
    #expect(
      lines("notification.observe('saved', function() end)") == ["observation: notification saved"])
    #expect(lines("spawn(function() sleep(1) end)") == ["task: waiting"])
  }

  @Test func `asks for more where a text is unfinished`() {
    #expect(lines("for i = 1, 2 do") == ["unfinished"])
    #expect(lines("for i = 1, 2 do y = i end") == [])
    #expect(lines("y") == ["2"])
    #expect(lines("f(") == ["unfinished"])
    #expect(lines("return [[a") == ["unfinished"])
    for beginning in ["1 +", "#", "not", "{ 1,", "'a' ..", "function(x)", "y ==", "-"] {
      #expect(lines(beginning) == ["unfinished"], "\(beginning)")
      #expect(!session.isFinished(beginning))
    }
    #expect(lines("1 +\n2") == ["3"])
    #expect(lines("1 1").first?.hasPrefix("scriptSyntax") == true)
    guard case .failed(let error) = session.run("for i = 1, 2 do", isComplete: true) else {
      Issue.record("an end that is missing is an error in the end")
      return
    }
    #expect(error.code == .scriptSyntax)
  }

  @Test func `keeps local variables, which functions see as they become`() {
    #expect(lines("local x = 1") == [])
    #expect(lines("local function double() return x * 2 end") == [])
    #expect(lines("x = 21") == [])
    #expect(lines("double()") == ["42"])
    #expect(lines("local x") == [])
    #expect(lines("x") == ["nil"])
    let other = try? Session(runtime)
    guard case .values(["nil"])? = other?.run("double") else {
      Issue.record("another session has variables of its own")
      return
    }
    #expect(lines("g = 7") == [])
    guard case .values(["7"])? = other?.run("g") else {
      Issue.record("globals are shared")
      return
    }
  }

  @Test func `keeps the last values`() {
    #expect(lines("10") == ["10"])
    #expect(lines("20, 30") == ["20", "30"])
    #expect(lines("_ + _1 + _2") == ["60"])
  }

  @Test func `goes on after errors, which name the location`() {
    #expect(lines("local a = nil") == [])
    guard case .failed(let error) = session.run("local b\n= a.b") else {
      Issue.record("no error")
      return
    }
    #expect(error.location?.line == 2)
    #expect(lines("syntax error here")[0].contains("near 'error'"))
    #expect(lines("error({})").count == 1)
    #expect(lines("1") == ["1"])
  }

  @Test func `waits where a chunk waits`() {
    #expect(lines("sleep(5) return 'done'") == ["\"done\""])
    #expect(lines("await(spawn(function() sleep(1) return 3 end))") == ["3"])
  }

  @Test func `shows objects, lists and tables as one reads them`() {
    #expect(lines("fruit") == ["fruit { count = 2, name = \"apple\" }"])
    #expect(lines("list { 1, 2 }") == ["list(2) { 1, 2 }"])
    #expect(lines("{ 1, 2, a = 'x', ['b c'] = true }") == ["{ 1, 2, [\"b c\"] = true, a = \"x\" }"])
    #expect(lines("{}") == ["{}"])
    #expect(lines("{ ['end'] = 1, end_ = 2 }") == [#"{ ["end"] = 1, end_ = 2 }"#])
    #expect(lines("dict { ['a b'] = 1, c = 2 }") == [#"dict { ["a b"] = 1, c = 2 }"#])
    #expect(lines("object { ['a b'] = 1 }") == [#"object { ["a b"] = 1 }"#])
    #expect(lines("t = { }; t.self = t; return t") == ["{ self = { (cycle) } }"])
    #expect(lines("o = object { }; return object { o = o }")[0].hasPrefix("object { o = "))
    #expect(
      lines("(function() local l = {} for i = 1, 30 do l[i] = i end return l end)()")[0]
        .contains("… 10 more"))
    let long = lines(
      "{ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa = 1, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb = 2, ccccccccccc = 3 }"
    )
    #expect(long[0].split(separator: "\n").count == 5)
  }

  @Test func `ends what it made when it ends`() throws {
    var other: Session? = try Session(runtime)
    _ = other?.run("seen = 0 observe(fruit, 'count', function() seen = seen + 1 end)")
    try runtime.evaluate("fruit.count = 3", as: Value.self)
    #expect(try runtime.evaluate("seen", as: Value.self) == 1)
    other = nil
    try runtime.evaluate("fruit.count = 4", as: Value.self)
    #expect(try runtime.evaluate("seen", as: Value.self) == 1)
  }

  @Test func `shows numbers by the shortest text that reads back`() {
    #expect(lines("0.1 + 0.2") == ["0.30000000000000004"])
    #expect(
      lines("2^53, 1e15 / 1, 0.5, 3.0, -0.0, 7") == [
        "9007199254740992.0", "1000000000000000.0", "0.5", "3.0", "-0.0", "7",
      ])
    #expect(lines("list { 0.1 + 0.2 }") == ["list(1) { 0.30000000000000004 }"])
    #expect(
      lines("dump(0.1 + 0.2), tostring(list { 0.1 + 0.2 })").allSatisfy {
        $0.contains("0.30000000000000004")
      })
    for number in ["1/3", "math.pi * 1e300", "5e-324", "123456789.123456789"] {
      #expect(lines("\(number) == \(lines(number)[0])") == ["true"])
    }
  }

  @Test func `shows what is in the tables of the API`() {
    for name in [
      "string", "math", "table", "utf8", "coroutine", "os", "json", "hot", "store", "trigger",
      "controller", "notification",
    ] {
      let shown = lines(name)[0]
      #expect(shown.contains("function"), "\(name): \(shown)")
    }
    #expect(lines("math")[0].contains("pi = 3.141592653589793"))
    #expect(lines("models") == ["models { fruit = fruit { count = 2, name = \"apple\" } }"])
    #expect(lines("views")[0].contains("editor = ") && lines("views")[0].contains("title = "))
    #expect(lines("{ string, models }")[0].contains("{…}"))
  }

  @Test func `runs the statements of a text one after another, with the values of expressions`() {
    #expect(lines("x = 1; x + 1") == ["2"])
    #expect(lines("local y = 1\ny + 1") == ["2"])
    #expect(lines("local z = 20 z + 1") == ["21"])
    #expect(lines("print('a')\n2 + 2") == ["4"])
    #expect(lines("1 + 1\n2 + 2\n:undo\n3").first == "metaCommand: there is nothing to take back")
    #expect(lines(":set fruit.count 3\n:undo\nfruit.count") == ["fruit.count is as it was.", "2"])
    #expect(lines("fruit\n  .name\n  :upper()") == ["\"APPLE\""])
    #expect(lines("if fruit then\n  w = 5\nend\nw") == ["5"])
    // Nothing runs of a text that is wrong, and its line is told.
    guard case .failed(let error) = session.run("v = 1\nv = = 2") else {
      Issue.record("no error")
      return
    }
    #expect(error.location?.line == 2 && lines("v") == ["nil"])
    guard case .failed(let other) = session.run("1 + 1\n\nerror('here')") else {
      Issue.record("no error")
      return
    }
    #expect(other.location?.line == 3)
  }

  @Test func `a name that is declared begins with the value of the global`() {
    #expect(lines("local tostring = tostring") == [])
    #expect(lines("tostring(5)") == ["\"5\""])
  }

  @Test(arguments: ["exit", " quit ", ":q", ":quit", ":exit"])
  func `leaves by any of the usual words`(_ word: String) {
    #expect(lines(word) == ["quit"])
    #expect(session.isFinished(word))
  }

  @Test func `a variable named quit is shown`() {
    #expect(lines("local quit = 5") == [])
    #expect(lines("quit") == ["5"])
  }

  @Test func `names the line of the input for what is read from it`() {
    let origin = ChunkOrigin(line: 8, isInput: true)
    func location(_ text: String, _ origin: ChunkOrigin) -> TideBindings.SourceLocation? {
      if case .failed(let error) = session.run(text, isComplete: false, at: origin) {
        return error.location
      }
      return nil
    }
    #expect(
      location("local a = nil return a.b", origin)
        == TideBindings.SourceLocation(file: "repl", line: 8))
    #expect(location("function late()\n  error('x')\nend", origin) == nil)
    #expect(location("late()", ChunkOrigin(line: 20, isInput: true))?.line == 9)
    #expect(location(":nothing", origin) == TideBindings.SourceLocation(file: "repl", line: 8))
    // At a prompt each text has its number.
    #expect(location(":nothing", ChunkOrigin())?.file == "repl:5")
  }

  // MARK: Commands

  @Test func `has commands, and says which there are`() {
    #expect(lines(":help").count > 15)
    #expect(lines(":help why")[0].hasPrefix(":why path"))
    #expect(lines(":help bind")[0].contains("Connects two properties"))
    #expect(lines(":help view.label")[0].contains("Shows text."))
    #expect(lines(":help models.name")[0].hasPrefix("models.name  "))
    #expect(lines(":help log.info")[0].contains("level info"))
    #expect(
      lines(":halp") == [
        "metaCommand: there is no command :halp; did you mean \"help\"?; :help lists them"
      ])
    #expect(lines(":why") == ["metaCommand: write :why path"])
    #expect(lines(":quit") == ["quit"])
  }

  @Test func `looks into the running app`() {
    #expect(lines(":models") == ["fruit = fruit { count = 2, name = \"apple\" }"])
    #expect(lines(":views") == ["column", "  label #title \"apple\"", "  field #editor"])
    #expect(lines(":bindings").count == 1)
    #expect(lines(":bindings fruit.name").count == 1)
    #expect(lines(":bindings fruit.count") == ["There are no bindings."])
    #expect(lines(":deps title.text")[1].contains("fruit.name"))
    #expect(lines(":why title.text").count == 2)
    #expect(lines(":errors") == ["There are no errors."])
    #expect(lines(":mem")[0].contains("in use"))
    #expect(lines(":why nobody.name")[0].contains("is not a model"))
  }

  @Test func `sets values and takes that back`() {
    #expect(lines(":set fruit.name 'pear'") == [])
    #expect(lines(":set fruit.count 1 + 9") == [])
    #expect(lines("fruit.name .. fruit.count") == ["\"pear10\""])
    #expect(lines(":undo") == ["fruit.count is as it was."])
    #expect(lines(":undo") == ["fruit.name is as it was."])
    #expect(lines("views.title.text") == ["\"apple\""])
    #expect(lines(":undo")[0].contains("nothing to take back"))
    #expect(lines(":set fruit.nam 1")[0].contains("names no property"))
  }

  @Test func `takes back no value that somebody else has written`() throws {
    let other = try Session(runtime)
    _ = lines(":set fruit.name 'mine'")
    _ = other.run(":set fruit.name 'theirs'")
    #expect(lines(":undo")[0].contains("has been written since, and is \"theirs\""))
    #expect(lines("fruit.name") == ["\"theirs\""])
    _ = lines(":set fruit.count 50")
    _ = lines("fruit.count = 60")
    #expect(lines(":undo")[0].contains("nothing was changed"))
    #expect(lines("fruit.count") == ["60"])
  }

  @Test func `tells of watched properties`() {
    var told: [String] = []
    session.onOutput = { told.append($0) }
    #expect(lines(":watch fruit.count") == [])
    _ = lines("fruit.count = 5")
    #expect(told == ["fruit.count: 2 -> 5"])
    #expect(lines(":unwatch fruit.count") == [])
    _ = lines("fruit.count = 6")
    #expect(told.count == 1)
  }

  @Test func `watches expressions and the content of lists`() {
    var told: [String] = []
    session.onOutput = { told.append($0) }
    _ = lines("model 'basket' { tags = list { 'a' }, price = 1 }")
    #expect(lines(":watch fruit.count * 2") == [])
    #expect(lines(":watch #models.basket.tags") == [])
    #expect(lines(":watch basket.tags") == [])
    #expect(lines(":watch basket.price + 1") == [])
    _ = lines("fruit.count = 5")
    _ = lines("models.basket.tags:append 'b'")
    _ = lines("models.basket.price = 2")
    #expect(
      told.sorted() == [
        #"#models.basket.tags: 1 -> 2"#,
        #"basket.price + 1: 2 -> 3"#,
        #"basket.tags: list(1) { "a" } -> list(2) { "a", "b" }"#,
        "fruit.count * 2: 4 -> 10",
      ])
    #expect(lines(":unwatch fruit.count * 2") == [])
    _ = lines("fruit.count = 6")
    #expect(told.count == 4)
    #expect(lines(":watch fruti.count")[0].contains("did you mean \"fruit\""))
    #expect(lines(":watch fruit.count +")[0].hasPrefix("scriptSyntax"))
    #expect(lines(":watch sleep(1)")[0].contains("cannot be watched"))
  }

  @Test func `times code`() { #expect(lines(":time 1 + 1").count == 2) }
}

@Suite struct TypedChunksTests {
  @Test func `of very many chunks the latest are kept`() {
    var chunks = TypedChunks()
    for number in 1...25_000 { chunks.add("x = \(number)") }
    #expect(chunks.texts.count <= 10_000 && chunks.texts.count >= 5000)
    #expect(chunks.last == "x = 25000")
    #expect(chunks.texts.first == "x = \(25_001 - chunks.texts.count)")
  }

  @Test func `of very long chunks the last is kept`() {
    var chunks = TypedChunks()
    for letter in ["a", "b", "c"] { chunks.add(String(repeating: letter, count: 20 << 20)) }
    #expect(chunks.texts.count == 1 && chunks.last?.first == "c")
  }
}
