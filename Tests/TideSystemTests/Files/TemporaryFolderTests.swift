import TestFolders
import Testing

@testable import TideSystem

/// It is serialized because the place of temporary files is the process's.
@Suite(.serialized) struct TemporaryFolderTests {
  /// Makes folders below one of the test's own.
  private func within(_ folder: ScratchFolder, _ body: () throws -> Void) rethrows {
    let former = getenv("TMPDIR").map { String(cString: $0) }
    setenv("TMPDIR", folder.path, 1)
    defer {
      if let former { setenv("TMPDIR", former, 1) } else { unsetenv("TMPDIR") }
    }
    try body()
  }

  @Test func `holds what is written to it until it is removed`() throws {
    let scratch = try ScratchFolder()
    try within(scratch) {
      let folder = try #require(TemporaryFolder("test"))
      #expect(folder.write(Array("text".utf8), to: "part/inner.lua"))
      #expect(!folder.write([], to: "../outside.lua"))
      let name = String(folder.path.dropFirst(scratch.path.utf8.count + 1))
      #expect(scratch.read(name + "/part/inner.lua") == "text")
      folder.remove()
      #expect(scratch.entries(of: ".").isEmpty)
    }
  }

  @Test func `removes those that processes have left which are gone`() throws {
    let scratch = try ScratchFolder()
    // No process has the highest number.
    scratch.write("text", to: "tidelock-test-4194305-abc/part/inner.lua")
    scratch.write("text", to: "tidelock-test-1-abc/inner.lua")
    scratch.write("text", to: "tidelock-other-4194305-abc/inner.lua")
    try within(scratch) {
      let folder = try #require(TemporaryFolder("test"))
      folder.remove()
      #expect(
        scratch.entries(of: ".").sorted() == [
          "tidelock-other-4194305-abc", "tidelock-test-1-abc",
        ])
    }
  }
}
