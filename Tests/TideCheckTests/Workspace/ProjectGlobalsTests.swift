import TestFolders
import Testing

@testable import TideCheck

@Suite struct `The globals that a project lists` {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `luacheck's lists are read as they are written`() {
    let text = """
      std = "lua54"
      globals = { "query", config = { fields = { "a" } }, "host.run" }
      read_globals = { "fetch" }
      new_globals = { half = {} }
      stds.mine = { read_globals = { "pay" } }
      files["spec"] = { read_globals = { "ui" } }
      local computed = os.execute("exit 1")
      """
    #expect(
      ProjectGlobals.names(inLinterFile: Array(text.utf8))
        == ["query", "config", "host", "fetch", "half", "pay"])
    #expect(ProjectGlobals.names(inLinterFile: Array("globals = {".utf8)) == [])
  }

  @Test(arguments: [
    #"{ "diagnostics.globals": ["query"] }"#, #"{ "diagnostics": { "globals": ["query"] } }"#,
    #"{ "Lua.diagnostics.globals": ["query"] }"#,
    "{ // the host's, \"quoted\"\n \"diagnostics.globals\": [/* all */ \"query\"] }",
  ])
  func `lua-language-server's list is read in each of its forms`(text: String) {
    #expect(ProjectGlobals.names(inEditorFile: Array(text.utf8)) == ["query"])
  }

  @Test func `the nearest folder with settings counts for a script`() throws {
    folder.write([
      "one/.luacheckrc": "read_globals = { \"query\" }", "one/lib/a.lua": "print(query)",
      "two/b.lua": "print(query)", "two/.luarc.json": "{}",
      ".luacheckrc": "globals = { \"query\" }",
    ])
    let files = try ScriptCheck().run([folder.path])
    #expect(files.filter { !$0.problems.isEmpty }.map { $0.path.hasSuffix("two/b.lua") } == [true])
  }

  @Test func `a name of the API in the lists keeps its members`() throws {
    folder.write([
      ".luacheckrc": "read_globals = { \"ask\", \"string\" }",
      "app.lua": "print(string.lenn, ask.txt)",
    ])
    #expect(try ScriptCheck().run([folder.path]).flatMap(\.problems).count == 2)
  }

  @Test func `changed settings are read again`() throws {
    folder.write("print(query)", to: "app.lua")
    let workspace = EditedWorkspace(try ScriptCheck())
    func count() throws -> Int {
      try workspace.snapshot(of: [folder.path]).checkedFiles.flatMap(\.problems).count
    }
    #expect(try count() == 1)
    folder.write("globals = { \"query\" }", to: ".luacheckrc")
    workspace.filesChanged()
    #expect(try count() == 0)
  }
}
