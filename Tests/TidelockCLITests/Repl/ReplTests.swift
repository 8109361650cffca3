import TestFolders
import Glibc
import Testing

/// `repl` without a prompt: `-e` and standard input that is no terminal.
struct ReplTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func evaluate(_ code: String..., script: String? = nil, options: [String] = [])
    throws -> Program.Outcome
  {
    var arguments = ["repl"]
    if let script {
      folder.write(script, to: "app.lua")
      arguments.append("app.lua")
    }
    return try Program.run(arguments + code.flatMap { ["-e", $0] } + options, in: folder)
  }

  @Test func `evaluates, shows values, and keeps variables from one to the next`() throws {
    let outcome = try evaluate("local x = 20", "x + 1", "print('hi')", "_ * 2")
    #expect(outcome.output == "21\nhi\n42\n")
    #expect(outcome.errors == "")
    #expect(outcome.status == .exited(0))
  }

  @Test func `looks into a script`() throws {
    let outcome = try evaluate(
      "fruit", ":why fruit.name", script: "fruit = model 'fruit' { name = 'fig' }")
    #expect(outcome.outputLines.first == "fruit { name = \"fig\" }")
    #expect(outcome.output.contains("app.lua:1"))
  }

  @Test func `ends at the first failure, with its location`() throws {
    let outcome = try evaluate("local a = nil return a.b", "print('not reached')")
    #expect(outcome.status == .exited(1))
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("repl:1:"))
    #expect(try evaluate("1 +").status == .exited(1))
    #expect(try evaluate(":nothing").errors.contains("there is no command :nothing"))
  }

  @Test func `ends with what the script or a chunk says`() throws {
    #expect(try evaluate("exit(7)", "print('x')").status == .exited(7))
    #expect(try evaluate("1", script: "error('broken')").status == .exited(65))
    #expect(try Program.run(["repl", "missing.lua", "-e", "1"], in: folder).status == .exited(66))
    #expect(try Program.run(["repl", "--nothing"], in: folder).status == .exited(64))
  }

  @Test func `help knows the words of specs`() throws {
    let outcome = try evaluate(":help ui.tap", ":help clock.advance", ":help describe", ":help spy")
    #expect(outcome.outputLines.count == 4, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.outputLines.allSatisfy { $0.contains("  ") && $0.hasSuffix(".") })
  }

  @Test func `values have colours where they are forced, and numbers at a prompt alone`() throws {
    #expect(try evaluate("1 + 1").output == "2\n")
    let outcome = try evaluate("1 + 1", ":help why", options: ["--color", "always"])
    #expect(outcome.outputLines.first == "\u{1b}[36m2\u{1b}[0m")
    #expect(outcome.outputLines.last?.contains("\u{1b}") == false)
    let json = try evaluate("1 + 1", options: ["--color", "always", "--json"])
    #expect(json.output == "{\"value\":\"2\"}\n")
  }

  @Test func `shows values and errors as JSON`() throws {
    let outcome = try evaluate("1 + 1", "x.y", options: ["--json"])
    #expect(outcome.output == "{\"value\":\"2\"}\n")
    #expect(outcome.errors.hasPrefix("{"))
    let printed = try evaluate(
      "print('a', 1) x = 2; x + 1", ":watch fruit.name",
      "after(0.01, function() print('late') end) models.fruit.name = 'fig' sleep(0.05)",
      script: "model 'fruit' { name = 'kiwi' }", options: ["--json"])
    #expect(
      printed.outputLines == [
        #"{"output":"a\t1"}"#, #"{"value":"3"}"#,
        #"{"output":"fruit.name: \"kiwi\" -> \"fig\""}"#, #"{"output":"late"}"#,
      ])
  }

  @Test func `runs what ends in an expression, and stops where it is told to leave`() throws {
    let outcome = try evaluate("x = 1; x + 1", "local y = 1\ny + 1", "print(1)\n2 + 2")
    #expect(outcome.output == "2\n2\n1\n4\n")
    #expect(try evaluate("1", ":q", "2").output == "1\n")
  }

  @Test func `errors of piped input name its lines, and never the app's file`() throws {
    folder.write("model 'fruit' {}", to: "app.lua")
    func errors(_ input: String, _ options: [String] = []) throws -> String {
      try Program.run(["repl", "app.lua"] + options, in: folder, input: input).errors
    }
    #expect(try errors("\n\nx = 1\nx.y.z = 2\n").hasPrefix("repl:4:1: error[E0402]"))
    #expect(
      try errors("function f()\n  error('in f')\nend\n\nf()\n").hasPrefix("repl:2:"))
    #expect(try errors("x = 1\n\n:nothing\n").hasPrefix("repl:3:1: error[E0501]"))
    #expect(try errors("x = {\n  1,\n  = 2\n}\n").hasPrefix("repl:3:"))
    #expect(try errors("\nerror('x')\n", ["--json"]).contains(#""line":2"#))
    #expect(try evaluate(":nothing").errors.hasPrefix("repl:1:1:1: error[E0501]"))
  }

  @Test(arguments: ["table", "text", "function"])
  func `a chunk of 20,000 lines takes no longer than its length`(_ kind: String) throws {
    let lines: (first: String, line: String, last: String) =
      switch kind {
      case "table": ("t = {", "  { name = \"a\", count = 1 },", "}")
      case "text": ("t = [[", "some line of a text", "]]")
      default: ("function t()", "  local x = f(1, \"a\") + 2", "end")
      }
    func time(_ count: Int) throws -> Double {
      let body = Array(repeating: lines.line, count: count)
      let input = ([lines.first] + body.prefix(count) + [lines.last, "print('done')"])
        .joined(separator: "\n")
      // A function has few locals.
      let text =
        kind == "function" ? input.replacing("  local x =", with: "  x =") : input
      let outcome = try Program.run(["repl"], in: folder, input: text + "\n")
      #expect(outcome.output == "done\n" && outcome.errors == "")
      return outcome.processorTime
    }
    let (small, large) = (try time(5000), try time(20_000))
    // Four times the lines take four times as long, and not sixteen times.
    #expect(large < 8 * small + 1, "\(small) s and \(large) s")
  }

  @Test func `lines that are sent at once all run, and Ctrl-Z stops the prompt`() throws {
    let terminal = try Terminal()
    let prompt = try Program(["repl"], in: folder, output: .terminal(terminal.name))
    terminal.wait(for: "> ")
    terminal.type("a = 1\nb = 2\nprint('sum', a + b)\n", until: "sum\t3")
    terminal.clear()
    // A paste runs as if it was typed.
    terminal.type("\u{1b}[200~print(10 + 1)\n20 + 2\n:mem\u{1b}[201~\r", until: "in use by scripts")
    #expect(terminal.screen.contains("11\r\n"))
    #expect(terminal.screen.contains("_1 =\u{1b}[0m \u{1b}[36m22\u{1b}[0m\r\n"))
    terminal.type(":exit\r")
    #expect(prompt.finish(seconds: 10, meanwhile: terminal.read).status == .exited(0))
    #expect(terminal.isUsual)
  }

  @Test func `shows no value that steers the terminal, and prints what is printed`() throws {
    let outcome = try evaluate(
      #"'\27]0;x\7'"#, #"print('\27[1mbold')"#, ":watch fruit.name",
      #"models.fruit.name = '\u{9b}2J'"#, "sleep(0.05)",
      script: "model 'fruit' { name = 'fig' }")
    #expect(outcome.outputLines.first == #""\27]0;x\7""#)
    #expect(outcome.output.contains("\u{1b}[1mbold\n"))
    #expect(!outcome.output.contains("\u{1b}]") && !outcome.output.contains("\u{9b}"))
    #expect(outcome.output.contains(#"\u{9b}2J"#))
    #expect(outcome.status == .exited(0))
  }

  @Test func `reads a script from standard input, chunk by chunk`() throws {
    let outcome = try Program.run(
      ["repl"], in: folder,
      input:
        "#!/usr/bin/env tidelock\nlocal function f(n)\n  return n * 2\nend\nf(21)\n:quit\nprint('no')\n"
    )
    #expect(outcome.output == "42\n")
    #expect(outcome.status == .exited(0))
    let cut = try Program.run(["repl"], in: folder, input: "for i = 1, 2 do\n")
    #expect(cut.status == .exited(1))
    #expect(cut.errors.contains("'end' expected"))
  }

  @Test(arguments: [
    "while true do end", "sleep(1000)", "('a'):rep(1000):find(('a*'):rep(50) .. 'b')",
  ])
  func `an interrupt stops the chunk and not the program`(_ code: String) throws {
    let program = try Program(["repl", "-e", "print('begun'); " + code], in: folder)
    program.wait { $0.output.contains("begun") }
    program.send(SIGINT)
    let outcome = program.finish(seconds: 20)
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("interrupted"))
  }
}
