import TestFolders
import Testing

@testable import TideSystem

@Suite struct TemporaryFolderTests {
  @Test func `holds what is written to it until it is removed`() throws {
    let scratch = try ScratchFolder()
    let folder = try #require(TemporaryFolder("test", in: scratch.path))
    #expect(folder.write(Array("text".utf8), to: "part/inner.lua"))
    #expect(!folder.write([], to: "../outside.lua"))
    let name = String(folder.path.dropFirst(scratch.path.utf8.count + 1))
    #expect(scratch.read(name + "/part/inner.lua") == "text")
    folder.remove()
    #expect(scratch.entries(of: ".").isEmpty)
  }

  @Test func `removes those whose processes are gone, and none that is in use`() throws {
    let scratch = try ScratchFolder(
      folders: "tidelock.test-4194305-abc", "tidelock.test-4194305-abc/part",
      "tidelock.other-4194305-abc")
    scratch.write("text", to: "tidelock.test-4194305-abc/part/inner.lua")
    scratch.write("text", to: "tidelock.other-4194305-abc/inner.lua")
    let used = try #require(TemporaryFolder("test", in: scratch.path))
    #expect(scratch.entries(of: ".").count == 2)
    let folder = try #require(TemporaryFolder("test", in: scratch.path))
    #expect(used.write([], to: "app.lua"))
    #expect(scratch.entries(of: ".").count == 3)
    folder.remove()
    used.remove()
    #expect(scratch.entries(of: ".") == ["tidelock.other-4194305-abc"])
  }
}
