import Glibc
import TestFolders
import Testing

@testable import TideSystem

@Suite struct `Looking many files up` {
  private let scratch: ScratchFolder
  private let lookup = FileLookup()

  init() throws {
    scratch = try ScratchFolder(folders: "inner")
    scratch.write("", to: "a.lua")
    scratch.write("", to: "inner/b c.lua")
    symlink("nowhere", scratch.path + "/dangling.lua")
    symlink("inner", scratch.path + "/link")
  }

  private func canRead(_ name: String) -> Bool { lookup.canRead(scratch.path + "/" + name) }

  @Test(arguments: ["a.lua", "inner/b c.lua", "inner", "link/b c.lua", "inner/../a.lua"])
  func `finds what is there`(name: String) { #expect(canRead(name)) }

  @Test(arguments: ["b.lua", "a.lua/x", "inner/a.lua", "nowhere/a.lua", "A.lua", "dangling.lua"])
  func `does not find what is not`(name: String) { #expect(!canRead(name)) }

  @Test func `answers for the root, for relative paths and for an empty one`() {
    #expect(lookup.canRead("/usr") && lookup.canRead("."))
    #expect(
      !lookup.canRead("/no such file") && !lookup.canRead("no such file") && !lookup.canRead(""))
  }

  @Test func `sees what comes and goes in a folder that it knows`() {
    let before = canRead("late.lua")
    scratch.write("", to: "late.lua")
    let after = canRead("late.lua")
    unlink(scratch.path + "/late.lua")
    #expect(!before && after && !canRead("late.lua"))
  }

  @Test(.enabled(if: getuid() != 0)) func `refuses what may not be read`() {
    chmod(scratch.path + "/a.lua", 0)
    #expect(!canRead("a.lua"))
  }
}
