import Glibc
import Testing

/// Scripts that are none, or that do what they should not.
struct BadInputTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ script: String, _ arguments: [String] = []) throws -> Program.Outcome {
    folder.write(script, to: "app.lua")
    return try Program.run(["run", "app.lua"] + arguments, in: folder)
  }

  @Test func `a file that is missing`() throws {
    let outcome = try Program.run(["run", "missing.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.hasPrefix("missing.lua: error[E"))
    #expect(outcome.errors.contains("No such file"))
  }

  @Test func `a folder`() throws {
    folder.makeFolder("app")
    let outcome = try Program.run(["run", "app"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("is a folder"))
  }

  @Test func `a link that leads to itself`() throws {
    folder.link("app.lua", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("app.lua"))
  }

  @Test(.disabled(if: geteuid() == 0, "root may read everything"))
  func `a file that may not be read`() throws {
    chmod(folder.write("print(1)", to: "app.lua"), 0)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("Permission denied"))
  }

  @Test func `a file that cannot be opened`() throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path + "/app.lua"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.hasPrefix("app.lua: error[E"))
  }

  @Test func `an empty file`() throws {
    let outcome = try run("")
    #expect(outcome.status == .exited(65))
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("app.lua:1:1: error[E0402]: the script is empty"))
  }

  @Test func `a file that is not UTF-8`() throws {
    let path = folder.write("", to: "app.lua")
    let file = try #require(fopen(path, "w"))
    let bytes: [UInt8] = Array("local a = 1\nlocal s = '".utf8) + [0xff, 0xfe] + Array("'\n".utf8)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.hasPrefix("app.lua:2:"))
    #expect(outcome.errors.contains("UTF-8"))
  }

  @Test func `a syntax error, with the line and a caret`() throws {
    let outcome = try run("local a = 1\nlocal 7 = a\n")
    #expect(outcome.status == .exited(65))
    #expect(outcome.errorLines.first == "app.lua:2:7: error[E0401]: <name> expected near '7'")
    #expect(outcome.errorLines.dropFirst() == ["  local 7 = a", "        ^"])
  }

  @Test func `a script that raises, with the line and a caret`() throws {
    let outcome = try run("local fruit\n\tprint(fruit.name)\n")
    #expect(outcome.status == .exited(65))
    #expect(
      outcome.errorLines.first?.hasPrefix("app.lua:2:8: error[E0402]: attempt to index") == true)
    #expect(outcome.errorLines.dropFirst() == ["   print(fruit.name)", "         ^"])
    #expect(outcome.output == "")
  }

  @Test func `an error that is no text`() throws {
    let outcome = try run("error({ code = 7 })")
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E0402]"))
  }

  @Test func `what was printed before an error stays`() throws {
    let outcome = try run("print('before')\nerror('no fruit')")
    #expect(outcome.status == .exited(65))
    #expect(outcome.output == "before\n")
    #expect(outcome.errors.hasPrefix("app.lua:2:1: error[E0402]: no fruit\n"))
  }

  @Test(arguments: [
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "string.find(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40))",
    "coroutine.wrap(function() while true do end end)()",
  ])
  func `a script that never ends`(script: String) throws {
    let outcome = try run(script, ["--turn", "0.2"])
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E0404]"))
  }

  @Test(arguments: [
    "local t = {} for i = 1, 1e9 do t[i] = {i} end",
    "local s = 'x' while true do s = s .. s end",
  ])
  func `a script that takes all memory`(script: String) throws {
    let outcome = try run(script, ["--memory", "16M"])
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E"))
    #expect(outcome.errors.contains("memory") || outcome.errors.contains("too l"))
  }

  @Test func `a file of 100 MB`() throws {
    truncate(folder.write("", to: "app.lua"), 100 << 20)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("100 MiB"))
  }

  @Test func `bytecode`() throws {
    let outcome = try run("\u{1b}Lua")
    #expect(outcome.status == .exited(65))
  }

  @Test(arguments: [
    ("return view.labl { text = 'x' }", "label"),
    ("local m = model 'fruit' { name = 'fig' } print(m.nmae)", "name"),
    ("local m = model 'fruit' { name = 'fig' } m.nmae = 'x'", "name"),
  ])
  func `an unknown name, with the nearest one`(script: String, nearest: String) throws {
    let outcome = try run(script)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("\"\(nearest)\""))
  }

  @Test(arguments: [
    ("model 'fruit' { name = 'fig' } bind 'fruit.nmae -> fruit.name'", "name"),
    (
      "model 'fruit' { name = 'fig' } return view.label { bindTo = { text = 'friut.name' } }",
      "fruit"
    ),
  ])
  func `an unknown name in a binding is listed, with the nearest one`(
    script: String, nearest: String
  ) throws {
    let outcome = try run(script)
    #expect([.exited(1), .exited(65)].contains(outcome.status))
    #expect(outcome.errors.contains("\(nearest)"))
  }

  @Test func `a picture of one cell`() throws {
    let outcome = try run("return view.label { text = 'hello' }", ["--snapshot", "--size", "1x1"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.count <= 2)
  }

  // MARK: Standard output

  @Test func `standard output that is closed`() throws {
    folder.write("print(1) print(2)", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder, output: .closed)
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("standard output cannot be written: it is closed"))
    #expect(outcome.errorLines.count == 1)
  }

  @Test func `standard output that nobody reads ends also an endless script`() throws {
    folder.write("while true do print('x') end", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder, output: .broken)
    #expect(outcome.status == .exited(1))
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("standard output cannot be written: nobody reads it any more"))
  }

  @Test func `a closed standard output does not matter to who prints nothing`() throws {
    folder.write("local x = 1", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder, output: .closed)
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
  }
}
