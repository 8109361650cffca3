import TestFolders
import Testing

@Suite struct `Definitions for editors from the command line` {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `without a script there is the API alone`() throws {
    let outcome = try Program.run(["types"], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.hasPrefix("---@meta\n"))
    #expect(outcome.output.contains("function transformer(name, transform) end"))
    #expect(!outcome.output.contains("---@class model."))
  }

  @Test func `an app's models are there, those of modules included`() throws {
    folder.write(
      "require 'lib' model 'a' { b = 1 } return view.field { id = 'editor' }", to: "app.lua")
    folder.write("model 'c' { d = '' }", to: "lib.lua")
    for path in ["app.lua", "."] {
      let outcome = try Program.run(["types", path], in: folder)
      #expect(outcome.status == .exited(0))
      #expect(
        outcome.output.contains("---@class model.a : tidelock.DataObject\n---@field b number"))
      #expect(outcome.output.contains("---@field d string"))
      #expect(outcome.output.contains("---@field editor tidelock.view.field"))
      // It is Lua, and says the API's names on purpose.
      folder.write(outcome.output, to: "types.lua")
      let check = try Program.run(["check", "types.lua"], in: folder)
      #expect(check.status == .exited(0), "\(check.errors)")
      folder.remove("types.lua")
    }
  }

  @Test func `what cannot be read is told`() throws {
    folder.write("x = = 1", to: "bad.lua")
    let bad = try Program.run(["types", "bad.lua"], in: folder)
    #expect(bad.status == .exited(65))
    #expect(bad.errors.contains("bad.lua:1:5: error[E0401]"))
    #expect(bad.output == "")
    #expect(try Program.run(["types", "nothing.lua"], in: folder).status == .exited(66))
    let json = try Program.run(["types", "--json"], in: folder)
    #expect(json.output.hasPrefix("{\"types\":\"---@meta\\n"))
  }
}
