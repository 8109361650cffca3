import TestFolders
import Testing

@Suite struct `The doctor` {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func look(
    _ arguments: String..., environment: [String: String] = [:], kernel: Kernel? = nil
  ) throws -> Program.Outcome {
    try Program.run(
      ["doctor"] + arguments, in: folder, environment: environment, kernel: kernel)
  }

  @Test func `shows a line for each thing, and ends well`() throws {
    let outcome = try look()
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    for name in [
      "terminal", "size", "colours", "text", "folders watched", "programs watching", "Landlock",
      "seccomp", "--confine required", "address space", "open files", "Lua", "interpreter's layout",
      "operator ..", "known faults of Lua",
    ] {
      #expect(outcome.outputLines.contains { $0.dropFirst(2).hasPrefix(name) }, "\(name)")
    }
    #expect(outcome.outputLines.contains { $0.contains("Lua ") && $0.contains("5.4.") })
    #expect(outcome.output.contains("start tidelock in a terminal"))
    #expect(!outcome.output.contains("\u{1b}"))
  }

  @Test func `gives an object a line as JSON`() throws {
    let lines = try look("--json").outputLines
    #expect(lines.count >= 13)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"name\":\"") && $0.hasSuffix("}") })
    #expect(lines.allSatisfy { $0.contains("\"ok\":false") == $0.contains("\"advice\":") })
  }

  @Test func `knows the terminal that it is in`() throws {
    let terminal = try Terminal(columns: 30, rows: 8)
    let program = try Program(
      ["doctor"], in: folder, output: .terminal(terminal.name),
      environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C"])
    #expect(program.finish(meanwhile: terminal.read).status == .exited(0))
    terminal.read()
    #expect(terminal.screen.contains("30x8"))
    #expect(terminal.screen.contains("make the terminal larger"))
    #expect(terminal.screen.contains("true colour"))
    #expect(terminal.screen.contains("set LANG to a UTF-8 locale"))
    #expect(terminal.screen.contains("\u{1b}[32m✓"))
  }

  @Test(.enabled(if: Kernel.confines, "the kernel cannot confine the program here"))
  func `says what the kernel lacks, and still ends well`() throws {
    let outcome = try look(kernel: .withoutLandlock)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("the kernel has no Landlock"))
    #expect(outcome.output.contains("cannot be met"))
    #expect(outcome.output.contains("use Linux 6.2 or newer"))
    let other = try look(kernel: .withoutSeccomp)
    #expect(other.status == .exited(0))
    #expect(other.output.contains("seccomp is refused here"))
  }

  @Test func `does not count colours that the user refused as a fault`() throws {
    let outcome = try look("--json", environment: ["NO_COLOR": "1"])
    #expect(outcome.output.contains("none, by NO_COLOR"))
  }
}
