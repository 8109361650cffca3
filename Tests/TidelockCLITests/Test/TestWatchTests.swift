import TestFolders
import Testing

struct TestWatchTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "spec", "src")
    folder.write("return 1", to: "src/one.lua")
    folder.write("it('reads', function() print('a', require 'one') end)", to: "spec/a_spec.lua")
    folder.write("it('is alone', function() print('b') end)", to: "spec/b_spec.lua")
  }

  private func watch() throws -> Program {
    let program = try Program(["test", "--watch"], in: folder)
    program.wait { $0.output.contains("watching 2 spec files\n") }
    #expect(program.output.hasPrefix("\n── all specs ──"))
    return program
  }

  /// What it has written since.
  private func text(_ program: Program, after count: Int) -> Substring {
    program.output.dropFirst(count)
  }

  @Test func `a spec's save runs it alone`() throws {
    let program = try watch()
    let count = program.output.count
    folder.write("it('is alone', function() print('b again') end)", to: "spec/b_spec.lua")
    program.wait { $0.output.contains("b again") && text($0, after: count).contains("watching 2") }
    #expect(text(program, after: count).contains("── saved: spec/b_spec.lua ──"))
    #expect(!text(program, after: count).contains("a\t"))
  }

  @Test func `a module's save runs the specs that required it`() throws {
    let program = try watch()
    var count = program.output.count
    folder.write("return 2", to: "src/one.lua")
    program.wait { text($0, after: count).contains("a\t2") }
    #expect(!text(program, after: count).contains("b\n"))
    // Also one that is no Lua for a while.
    folder.write("return return", to: "src/one.lua")
    program.wait { text($0, after: count).contains("1 error") }
    count = program.output.count
    folder.write("return 3", to: "src/one.lua")
    program.wait { text($0, after: count).contains("a\t3") }
  }

  @Test func `a spec that was renamed is forgotten under its old name`() throws {
    let program = try watch()
    folder.write("it('reads', function() print('c', require 'one') end)", to: "spec/c_spec.lua")
    folder.remove("spec/a_spec.lua")
    program.wait { $0.output.contains("── new: spec/c_spec.lua ──") }
    program.wait { $0.output.contains("c\t1") && $0.output.hasSuffix("watching 2 spec files\n") }
    let count = program.output.count
    folder.write("return 2", to: "src/one.lua")
    program.wait { text($0, after: count).contains("watching 2 spec files") }
    #expect(text(program, after: count).contains("c\t2"))
    #expect(text(program, after: count).contains("1 success / 0 failures / 0 errors"))
  }

  @Test func `a new spec is picked up, also in a new folder`() throws {
    let program = try watch()
    folder.write("it('is new', function() print('new') end)", to: "spec/c_spec.lua")
    program.wait { $0.output.contains("── new: spec/c_spec.lua ──") }
    program.wait { $0.output.contains("watching 3 spec files") }
    folder.makeFolder("spec/deep")
    folder.write("it('is newer', function() print('newer') end)", to: "spec/deep/d_spec.lua")
    program.wait { $0.output.contains("newer") }
    program.wait { $0.output.contains("watching 4 spec files") }
  }

  @Test func `keys run all and end it`() throws {
    let terminal = try Terminal()
    let program = try Program(["test", "--watch"], in: folder, output: .terminal(terminal.name))
    for key in ["\n", "\r", "q"] {
      terminal.wait(for: "── all specs ──")
      terminal.wait(for: "Enter runs all, q ends")
      #expect(!terminal.isUsual)
      terminal.clear()
      terminal.type(key)
    }
    #expect(program.finish(meanwhile: terminal.read).status == .exited(0))
    #expect(terminal.isUsual)
  }

  @Test func `keys choose what runs`() throws {
    folder.write("it('fails', function() assert.is_true(false) end)", to: "spec/c_spec.lua")
    let terminal = try Terminal()
    let program = try Program(
      ["test", "--watch"], in: folder, output: .terminal(terminal.name),
      environment: ["XDG_STATE_HOME": folder.path + "/state", "NO_COLOR": "1"])
    for (keys, title, result) in [
      ("", "all specs", "2 successes / 1 failure"),
      ("f", "what failed last, of all specs", "0 successes / 1 failure"),
      ("pb_spex\u{7F}c\n", "files with b_spec", "1 success / 0 failures"),
      ("tnothing\n", "files with b_spec, tests with nothing", "0 successes / 0 failures"),
      ("a", "all specs", "2 successes / 1 failure"),
      ("tp\u{1B}c", "with coverage: all specs", "src/one.lua"),
    ] {
      if !keys.isEmpty { terminal.clear() }
      terminal.type(keys)
      terminal.wait(for: "── \(title) ──")
      terminal.wait(for: result)
      terminal.wait(for: "q ends, ? lists the keys")
    }
    for keys in ["p(", "t("] {
      terminal.clear()
      terminal.type(keys + "\n")
      terminal.wait(for: "is not a Lua pattern")
      terminal.clear()
      terminal.type("\n")
      terminal.wait(for: "2 successes / 1 failure")
      terminal.wait(for: "q ends, ? lists the keys")
    }
    terminal.clear()
    terminal.type("?")
    terminal.wait(for: "run the tests whose names match")
    terminal.type("q")
    #expect(program.finish(meanwhile: terminal.read).status == .exited(1))
    #expect(terminal.isUsual)
  }

  @Test func `q stops a run that goes on, and other keys put another in its place`() throws {
    folder.write(
      "it('turns', function() print('turning') while true do end end)", to: "spec/a_spec.lua")
    let terminal = try Terminal()
    let program = try Program(
      ["test", "--watch", "--timeout", "600"], in: folder, output: .terminal(terminal.name),
      environment: ["NO_COLOR": "1"])
    terminal.wait(for: "── all specs ──")
    terminal.type("pb_spec\n")
    terminal.wait(for: "── files with b_spec ──")
    terminal.wait(for: "1 success / 0 failures")
    terminal.type("a")
    terminal.wait(for: "── all specs ──")
    terminal.type("q")
    #expect(program.finish(meanwhile: terminal.read).status == .exited(0))
    #expect(terminal.isUsual)
  }

  @Test func `q does not wait for a program that a spec waits for`() throws {
    folder.write(
      "it('waits', function() print('waiting') os.execute('exec sleep 20 > /dev/null 2>&1') end)",
      to: "spec/a_spec.lua")
    let terminal = try Terminal()
    let program = try Program(
      ["test", "--watch", "--timeout", "900", "-j", "1"], in: folder,
      output: .terminal(terminal.name))
    terminal.wait(for: "waiting")
    terminal.type("q")
    #expect(program.finish(meanwhile: terminal.read).status == .exited(0))
  }

  @Test func `an interrupt gives the terminal back`() throws {
    let terminal = try Terminal()
    let program = try Program(["test", "--watch"], in: folder, output: .terminal(terminal.name))
    terminal.wait(for: "Enter runs all, q ends")
    terminal.type("\u{3}")
    #expect(program.finish(meanwhile: terminal.read).status == .exited(130))
    #expect(terminal.isUsual)
  }

  @Test func `an interrupt ends it`() throws {
    let program = try watch()
    program.send(2)
    #expect(program.finish().status == .exited(130))
  }
}
