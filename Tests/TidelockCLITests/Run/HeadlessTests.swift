import TestFolders
import Glibc
import Testing

struct HeadlessTests: AppSuite {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `print goes to standard output`() throws {
    let outcome = try run("print('hello', 1, nil)")
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "hello\t1\tnil\n")
    #expect(outcome.errors == "")
  }

  @Test func `each line is written at once`() throws {
    let program = try start("print('first') after(60, function() end)")
    program.wait { $0.output == "first\n" }
  }

  @Test func `it ends when nothing is left to do`() throws {
    let outcome = try run(
      """
      local count = 0
      local timer
      timer = every(0.01, function()
        count = count + 1
        print(count)
        if count == 3 then timer:cancel() end
      end)
      after(0, function() print "now" end)
      """)
    #expect(outcome.status == .exited(0))
    #expect(outcome.outputLines == ["now", "1", "2", "3"])
  }

  @Test(.enabled(if: !hasSanitizer, "a sanitizer needs the memory itself"))
  func `it runs where little memory may be written`() throws {
    folder.write("model 'fruit' { name = 'apple' } print 'done'", to: "app.lua")
    let outcome = try Program(
      executable: ["/bin/sh", "-c", "ulimit -d 524288; exec \(Program.path) run app.lua"],
      in: folder, output: .captured
    ).finish()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.output == "done\n")
  }

  @Test func `a time bounds it`() throws {
    let outcome = try run("every(0.02, function() print 'tick' end)", ["--for", "0.3"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.outputLines.count > 1)
  }

  @Test func `a time does not make it longer`() throws {
    let outcome = try run("print 'done'", ["--for", "1000"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "done\n")
  }

  @Test(arguments: [0, 1, 7, 255])
  func `the code is what exit gave`(code: Int) throws {
    let outcome = try run("print 'before' exit(\(code)) print 'after'")
    #expect(outcome.status == .exited(Int32(code)))
    #expect(outcome.output == "before\n")
    #expect(outcome.errors == "")
  }

  @Test func `exit in a timer leaves the rest undone`() throws {
    let outcome = try run(
      """
      after(0, function() print 'one' exit(3) end)
      after(0, function() print 'two' end)
      every(1, function() end)
      """)
    #expect(outcome.status == .exited(3))
    #expect(outcome.output == "one\n")
  }

  @Test func `errors listed while it ran give 1, and do not end it`() throws {
    let outcome = try run(
      """
      after(0, function() error('rotten') end)
      after(0.01, function() print('still here') end)
      """)
    #expect(outcome.status == .exited(1))
    #expect(outcome.output == "still here\n")
    #expect(outcome.errorLines.first == "app.lua:1:21: error[E0402]: rotten")
  }

  @Test func `what exit gave counts more than listed errors`() throws {
    let outcome = try run(
      "after(0, function() error('rotten') end) after(0.01, function() exit(5) end)")
    #expect(outcome.status == .exited(5))
  }

  @Test func `what follows the dashes is arg`() throws {
    let outcome = try run("print(arg[0], #arg, arg[1], arg[2], ...)", ["--", "one", "--two"])
    #expect(outcome.output == "app.lua\t2\tone\t--two\tone\t--two\n")
  }

  @Test func `an interrupt ends it`() throws {
    let program = try start("print('ready') every(60, function() end)")
    program.wait { $0.output == "ready\n" }
    program.send(SIGINT)
    #expect(program.finish().status == .exited(130))
  }

  @Test func `an interrupt ends a script that is busy`() throws {
    folder.write("print('ready') while true do end", to: "app.lua")
    let program = try Program(["run", "app.lua", "--turn", "60"], in: folder)
    program.wait { $0.output == "ready\n" }
    program.send(SIGINT)
    #expect(program.finish().status == .exited(130))
  }

  // MARK: Views

  private static let fruit = """
    local fruit = model "fruit" { name = "apple", count = 1 }
    return view.column { dataObject = fruit,
      view.label { bindTo = { text = "@superview.dataObject.name" } },
      view.field { id = "editor", bindTo = { text = "<> @superview.dataObject.name" } },
      view.button { title = "Ripen", on = { touchUpInside = function() fruit.name = "ripe" end } },
    }
    """

  @Test func `a snapshot shows the views`() throws {
    let outcome = try run(Self.fruit, ["--snapshot", "--size", "30x5"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    #expect(outcome.outputLines.first == "apple")
    #expect(outcome.outputLines.last?.contains("Ripen") == true)
  }

  @Test func `a snapshot comes after due work, and before what is due later`() throws {
    let outcome = try run(
      """
      local m = model "m" { text = "first" }
      after(0, function() m.text = "due" end)
      after(60, function() m.text = "later" end)
      return view.label { bindTo = { text = "m.text" } }
      """, ["--snapshot"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "due\n")
  }

  @Test func `a picture as SVG is written to a file, after the keys`() throws {
    let outcome = try run(
      Self.fruit, ["--snapshot-svg", "out.svg", "--size", "30x5", "--keys", "Tab ! "])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "")
    let picture = folder.read("out.svg")
    #expect(picture.hasPrefix("<svg ") && picture.contains(">apple!</text>"))
    let both = try run(Self.fruit, ["--snapshot-svg", "-", "--snapshot", "--size", "30x5"])
    #expect(both.output.hasPrefix("<svg ") && both.output.contains("</svg>\napple\n"))
  }

  @Test func `a picture that cannot be written is an error`() throws {
    let outcome = try run(Self.fruit, ["--snapshot-svg", "missing/out.svg"])
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("missing/out.svg cannot be written: No such file"))
    #expect(try run(Self.fruit, ["--snapshot-svg", ""]).status == .exited(64))
  }

  @Test func `a snapshot without a view is an error`() throws {
    let outcome = try run("print 'x'", ["--snapshot"])
    #expect(outcome.status == .exited(1))
    #expect(outcome.output == "x\n")
    #expect(outcome.errors.contains("shows no view"))
  }

  @Test func `properties are set before the app is shown`() throws {
    let outcome = try run(
      """
      local fruit = model "fruit" { name = "apple", count = 1, ripe = false }
      observe(fruit, "count", function(new, old) print(old, new, math.type(new)) end)
      return view.label { bindTo = { text = "fruit.name" } }
      """,
      [
        "--snapshot", "--set", "fruit.name=a=b", "--set", "fruit.count=7", "--set",
        "fruit.ripe=true",
      ])
    #expect(outcome.status == .exited(0))
    #expect(outcome.outputLines.count == 2)
    #expect(outcome.outputLines.last == "a=b")
  }

  @Test func `keys reach the views`() throws {
    let outcome = try run(Self.fruit, ["--snapshot", "--keys", "Tab End ! Space x"])
    #expect(outcome.outputLines.first == "apple! x")
    let pressed = try run(Self.fruit, ["--snapshot", "--keys", "Tab Tab Enter"])
    #expect(pressed.outputLines.first == "ripe")
  }

  @Test func `letters that nobody takes neither reload nor reset`() throws {
    folder.write("print('run') model 'm' { a = 1 } return view.label { text = 'x' }", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua", "--keys", "r R"], in: folder)
    #expect(outcome.output == "run\n")
    #expect(outcome.errors == "")
  }

  // MARK: Reports

  @Test func `logs go to standard error from their level on`() throws {
    let script = "log.debug('quiet') log.info('hello', { fruit = 'fig' }) log.error('loud')"
    #expect(try run(script).errors == "")
    let outcome = try run(script, ["--log", "info", "--confine", "off"])
    #expect(outcome.errorLines.count == 2)
    #expect(
      outcome.errorLines.first?.hasSuffix(" info app: hello fruit=fig location=app.lua:1") == true)
    #expect(outcome.output == "")
    #expect(outcome.status == .exited(0))
  }

  @Test func `reports are JSON objects, one a line`() throws {
    let outcome = try run(
      "log.info('hi', { n = 1 })\nafter(0, function() error('ro\"tten') end)",
      ["--json", "--log", "info", "--confine", "off"])
    #expect(
      outcome.errorLines.first
        == #"{"severity":"info","label":"app","message":"hi","metadata":{"location":"app.lua:1","n":"1"}}"#
    )
    #expect(
      outcome.errorLines.contains(
        #"{"severity":"error","code":"E0402","name":"scriptError","message":"ro\"tten","file":"app.lua","line":2,"column":21}"#
      ))
  }

  @Test func `a snapshot as JSON`() throws {
    let outcome = try run(
      "return view.label { text = 'hi' }", ["--snapshot", "--size", "4x2", "--json"])
    #expect(outcome.output == #"{"width":4,"height":2,"lines":["hi",""]}"# + "\n")
  }

  @Test func `colours only when they are asked for`() throws {
    #expect(!(try run("error('x')")).errors.contains("\u{1b}"))
    #expect(try run("error('x')", ["--color", "always"]).errors.contains("\u{1b}[1;31m"))
  }
}
