import TestFolders
import Testing

@testable import TideSystem

@Suite struct `Listings of folders` {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder(folders: "inner")
    scratch.write("", to: "a.lua")
    scratch.write("", to: "inner/b c.lua")
  }

  /// Asks listings that have read nothing yet.
  private func isThere(_ path: String) -> Bool {
    var listings = FolderListings()
    return listings.contains(path)
  }

  @Test func `say of files in several folders whether they are there`() {
    var listings = FolderListings()
    let names = ["a.lua", "inner/b c.lua", "inner", "b.lua", "a.lua/x", "inner/a.lua", "A.lua"]
    let found = names.filter { listings.contains(scratch.path + "/" + $0) }
    #expect(found == ["a.lua", "inner/b c.lua", "inner"])
  }

  @Test func `find what lies in the root, and nothing under an empty name`() {
    #expect(isThere("/usr"))
    #expect(!isThere("/no such file"))
    #expect(!isThere(""))
  }

  @Test func `do not miss a file that has come since`() {
    var listings = FolderListings()
    let path = scratch.path + "/late.lua"
    let before = listings.contains(path)
    scratch.write("", to: "late.lua")
    let after = listings.contains(path)
    #expect(!before && after)
  }
}
