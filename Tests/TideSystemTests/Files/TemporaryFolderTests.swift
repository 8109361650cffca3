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

  @Test func `removes those that processes have left which are gone`() throws {
    let scratch = try ScratchFolder(
      folders: "tidelock-test-4194305-abc", "tidelock-test-4194305-abc/part", "tidelock-test-1-abc",
      "tidelock-other-4194305-abc")
    // No process has the highest number.
    scratch.write("text", to: "tidelock-test-4194305-abc/part/inner.lua")
    scratch.write("text", to: "tidelock-test-1-abc/inner.lua")
    scratch.write("text", to: "tidelock-other-4194305-abc/inner.lua")
    #expect(scratch.read("tidelock-test-4194305-abc/part/inner.lua") == "text")
    let folder = try #require(TemporaryFolder("test", in: scratch.path))
    folder.remove()
    #expect(
      scratch.entries(of: ".").sorted() == [
        "tidelock-other-4194305-abc", "tidelock-test-1-abc",
      ])
  }
}
