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

  @Test func `shows values and errors as JSON`() throws {
    let outcome = try evaluate("1 + 1", "x.y", options: ["--json"])
    #expect(outcome.output == "{\"value\":\"2\"}\n")
    #expect(outcome.errors.hasPrefix("{"))
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
