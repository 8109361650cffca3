import TestFolders
import Testing

@testable import TideSystem

@Suite struct PathKeyTests {
  @Test func `paths of the same characters are two where their bytes differ`() {
    let (composed, decomposed) = ("/caf\u{e9}.lua", "/cafe\u{301}.lua")
    #expect(composed == decomposed)
    var found: [PathKey: Int] = [:]
    found[path: composed] = 1
    found[path: decomposed] = 2
    #expect(found.count == 2)
    #expect(found[path: composed] == 1)
    #expect(found[path: decomposed] == 2)
    #expect(PathKey(decomposed) < PathKey(composed))
  }

  @Test func `a folder holds nothing of another whose name has the same characters`() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let scratch = try ScratchFolder(folders: composed, decomposed)
    let (own, other) = (scratch.path + "/" + composed, scratch.path + "/" + decomposed)
    for name in [composed, decomposed] { scratch.write("", to: name + "/a.lua") }
    #expect(SystemPath.isWithin(own + "/a.lua", own))
    #expect(!SystemPath.isWithin(other + "/a.lua", own))
    #expect(!SystemPath.isBelow(other, own))
  }
}
