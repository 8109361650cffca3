import Glibc
import Testing

@testable import TideSystem

@Suite struct `Paths that may be reopened` {
  private let scene: AttackScene

  init() throws {
    scene = try AttackScene()
    for name in ["writable/app", "readable/app"] { mkdir(scene.path + "/" + name, 0o755) }
    symlink("../outside", scene.path + "/writable/link")
    symlink("writable/link", scene.path + "/by-way-of-writable")
    symlink("readable/app", scene.path + "/plain-link")
  }

  private func isReopened(_ path: String, writing folder: String = "writable") -> Bool {
    var confinement = Confinement()
    confinement.reopened = [scene.path + "/" + path]
    confinement.writable = [scene.path + "/" + folder]
    return !confinement.reopenedPaths.isEmpty
  }

  @Test(arguments: ["readable", "readable/", "readable/.", "readable/app", "readable/file"])
  func `are those outside of what may be written`(path: String) { #expect(isReopened(path)) }

  @Test func `may lead by links`() {
    #expect(isReopened("plain-link"))
    #expect(isReopened("readable/../plain-link/../file"))
  }

  @Test(arguments: [
    "writable/app", "writable/file", "writable/link/file", "by-way-of-writable",
    "by-way-of-writable/file", "readable/../writable/app",
  ])
  func `are none that confined code could rename`(path: String) {
    #expect(!isReopened(path))
  }

  /// The name of a folder stands in the one above.
  @Test func `may be a folder that is written itself`() {
    #expect(isReopened("writable"))
    #expect(!isReopened("writable", writing: "."))
  }

  @Test(arguments: ["missing", "writable/missing/file", "missing/file"])
  func `are none that are not there`(path: String) { #expect(!isReopened(path)) }
}
