import TestFolders
import Testing

/// A folder that may be written does not cover what tools obey: scripts, specs, files with a dot.
struct ProtectedFileTests: AppSuite {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "data", "data/spec", "data/.git", "data/lib", "data/plain")
    folder.write("return {}", to: ".busted")
    folder.write("return 1", to: "data/lib/part.lua")
    folder.write("text", to: "data/plain/text")
    folder.link("data/link", to: "../.busted")
  }

  private func lines(_ script: String, _ allowed: String = "read=.,write=.") throws -> [String] {
    folder.write("spawn(function()\n\(script)\nexit()\nend)", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua", "--allow", allowed], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    return outcome.outputLines
  }

  static let paths = [
    ".busted", ".luacov", ".luarc.json", ".editorconfig", "data/.git/config", "data/link",
    "data/lib/part.lua", "data/new.lua", "data/NEW.LUA", "data/x_spec.lua", "data/spec/words.txt",
    "data/.hidden/x", "./data/../.busted", "app.lua",
  ]

  @Test(arguments: [
    "file.write(PATH, '')", "file.append(PATH, '')", "file.remove(PATH)",
    "file.rename(PATH, 'data/x')", "file.rename('data/plain/text', PATH)", "io.open(PATH, 'w')",
    "io.open(PATH, 'a')", "io.open(PATH, 'r+')", "os.remove(PATH)", "os.rename(PATH, 'data/x')",
    "os.rename('data/plain/text', PATH)",
  ])
  func `every call is refused, and says what would allow it`(call: String) throws {
    // What a link leads to is written, but the link itself is removed and renamed.
    let paths = Self.paths.filter {
      $0 != "data/link" || !(call.contains("remove") || call.contains("rename"))
    }
    let calls = paths.map { path in
      "print(pcall(function() return " + call.replacing("PATH", with: "'\(path)'") + " end))"
    }
    let lines = try lines(calls.joined(separator: "\n"))
    for (path, line) in zip(paths, lines) {
      #expect(
        line.contains("a folder does not cover scripts (*.lua), specs") && line.contains("write="),
        "\(path): \(line)")
    }
    #expect(lines.count == paths.count)
    #expect(folder.read(".busted") == "return {}")
  }

  @Test func `a folder that would not cover such a file is not suggested`() throws {
    let files = try lines(
      """
      print(pcall(file.write, ".busted", ""))
      print(pcall(io.open, "data/lib/part.lua", "w"))
      print(pcall(file.write, "data/plain/text", ""))
      """, "read=.")
    try #require(files.count == 3)
    #expect(files[0].hasSuffix("--allow write=.busted, which names the file itself"), "\(files[0])")
    #expect(files[1].contains("--allow write=data/lib/part.lua, which"), "\(files[1])")
    #expect(files[2].hasSuffix("--allow write=data/plain"), "\(files[2])")

    let databases = try lines(
      """
      print(pcall(store.open, ".busted"))
      print(pcall(store.open, "data/spec/words.db"))
      """, "store=.")
    #expect(databases.count == 2)
    for line in databases {
      #expect(line.hasSuffix("with a dot; give it another name or folder"), "\(line)")
    }
  }

  @Test func `a folder that holds such files is not moved, nor called like one of specs`() throws {
    let lines = try lines(
      """
      print(pcall(file.rename, "data/lib", "data/src"))
      print(pcall(os.rename, "data/lib", "data/src"))
      print(pcall(file.rename, "data/plain", "data/tests"))
      print(pcall(os.rename, "data/plain", "test"))
      print(pcall(os.remove, "data/spec"))
      print(os.rename("data/plain", "data/moved"))
      """)
    #expect(lines.count == 6)
    for line in lines.dropLast() { #expect(line.hasPrefix("false\t"), "\(line)") }
    #expect(lines.last == "true")
    #expect(folder.entries(of: "data").contains("spec"))
  }

  @Test func `a file that the flag names itself is written`() throws {
    let lines = try lines(
      """
      file.write(".busted", "return { _all = {} }")
      print(file.read(".busted"), pcall(file.write, ".luacov", ""))
      local file = io.open("data/lib/part.lua", "w") file:write("return 2") file:close()
      print(pcall(file.write, "data/other", "x"))
      """, "read=.,write=.busted,write=data/lib/part.lua")
    #expect(lines.first?.hasPrefix("return { _all = {} }\tfalse") == true, "\(lines)")
    #expect(folder.read("data/lib/part.lua") == "return 2")
  }

  @Test func `plain files are written as before`() throws {
    let lines = try lines(
      """
      file.write("data/new", "1") file.write("test", "2") file.write("data/a.lua.txt", "3")
      print(file.read("data/new"), file.read("test"), file.read("data/a.lua.txt"))
      """)
    #expect(lines == ["1\t2\t3"])
  }

  @Test func `what an app has written changes nothing for the next run of the tests`() throws {
    _ = try lines("pcall(file.write, '.busted', 'os.execute(\"touch owned\") return {}')")
    folder.makeFolder("spec")
    folder.write("it('runs', function() end)", to: "spec/a_spec.lua")
    let outcome = try Program.run(["test"], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.output) \(outcome.errors)")
    #expect(!folder.entries(of: ".").contains("owned"))
  }
}
