import TestFolders
import Testing

struct UsageTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write("model 'fruit' { name = 'fig', count = 1 }", to: "app.lua")
  }

  @Test(arguments: [
    ["run"], ["rnu", "app.lua"], ["repl", "-e", "1", "--memory", "1"],
    ["why", "app.lua", "fruit.name", "--memory", "1"], ["run", "app.lua", "--snapshot", "--watch"],
    ["run", "app.lua", "--unknown"], ["run", "app.lua", "another"],
  ])
  func `a wrong word is a usage error`(arguments: [String]) throws {
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("Usage:"))
  }

  @Test(arguments: [
    ("size", "80"), ("size", "0x5"), ("size", "99999999x99999999"), ("for", "-1"), ("for", "soon"),
    ("set", "fruit.name"), ("keys", "Tab Nonsense"), ("log", "loud"), ("color", "sometimes"),
    ("memory", "lots"), ("memory", "1"), ("memory", "1023K"), ("turn", "0"),
  ])
  func `an option of run with a wrong value is a usage error`(name: String, value: String) throws {
    try `a wrong word is a usage error`(arguments: ["run", "app.lua", "--" + name, value])
  }

  @Test func `the least memory suffices for a small app`() throws {
    let outcome = try Program.run(["run", "app.lua", "--memory", "1M"], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("frut.name=x", "fruit"), ("fruit.nmae=x", "name"), ("fruit=x", "model.property"),
    ("fruit.count=many", "fruit.count=many"),
  ])
  func `setting what is not there is a usage error`(assignment: String, hint: String) throws {
    let outcome = try Program.run(["run", "app.lua", "--set", assignment], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains(hint))
  }

  @Test(arguments: [["--help"], ["run", "--help"], ["help", "run"]])
  func `help has an example`(arguments: [String]) throws {
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("tidelock run app.lua"))
  }

  @Test func `every flag of run is explained`() throws {
    let help = try Program.run(["run", "--help"], in: folder).output
    for flag in [
      "--snapshot", "--size", "--for", "--watch", "--no-watch", "--set", "--keys", "--log",
      "--memory", "--turn", "--limit", "--allow", "--color", "--json",
    ] {
      #expect(help.contains(flag))
    }
  }

  @Test func `the version`() throws {
    let outcome = try Program.run(["--version"], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("."))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completion for a shell`(shell: String) throws {
    let outcome = try Program.run(["--generate-completion-script", shell], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("snapshot"))
  }
}
