import Testing

@testable import TideSystem

@Suite struct `Rights to files` {
  @Test func `are those that a version of Landlock knows`() {
    #expect(FileRights.known(toVersion: 1).rawValue == 0x1FFF)
    #expect(FileRights.known(toVersion: 2).rawValue == 0x3FFF)
    #expect(FileRights.known(toVersion: 3).rawValue == 0x7FFF)
    #expect(FileRights.known(toVersion: 4).rawValue == 0x7FFF)
    #expect(FileRights.known(toVersion: 5).rawValue == 0xFFFF)
    #expect(FileRights.known(toVersion: 99).rawValue == 0xFFFF)
  }

  @Test func `to write are no rights to read, and make no links or devices`() {
    #expect(FileRights.write.isDisjoint(with: .read))
    #expect(FileRights.write.isDisjoint(with: [.makeLink, .makeDevice, .makeSocket, .makePipe]))
    #expect(FileRights.write.isDisjoint(with: .execute))
  }

  @Test func `go to the system's files only where that was asked for`() {
    var confinement = Confinement()
    confinement.readable = ["/srv"]
    #expect(confinement.rules.contains(FileRule("/usr/share/zoneinfo", .read)))
    confinement.includesSystem = false
    #expect(confinement.rules == [FileRule("/srv", .read)])
  }

  @Test func `of terminals follow the environment`() {
    let rules = FileRule.system {
      ["TERMINFO_DIRS": "/opt/terms::relative", "HOME": "/home/ada"][$0]
    }
    #expect(rules.contains(FileRule("/opt/terms", .read)))
    #expect(rules.contains(FileRule("/home/ada/.terminfo", .read)))
    #expect(!rules.contains { !$0.path.hasPrefix("/") })
  }
}
