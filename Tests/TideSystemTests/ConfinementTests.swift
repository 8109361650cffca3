import CTideSystem
import Glibc
import Testing

@testable import TideSystem

/// What native code can do in a confined process, tried by a program that is given it on purpose.
@Suite(.enabled(if: ConfinedProgram.lack == nil, "\(ConfinedProgram.lack ?? "")"), .serialized)
struct `A confined process` {
  /// The error that each attack must get; the others get `EPERM`.
  private static let answers: [String: Int32] = [
    // Landlock's.
    "older thread: open outside": EACCES, "open outside": EACCES,
    "open outside for writing": EACCES, "open from an open folder": EACCES,
    "open by way of ..": EACCES, "open by a link": EACCES, "list the root": EACCES,
    "create outside": EACCES, "create where files may be read": EACCES,
    "write where files may be read": EACCES, "cut what may be read": EACCES,
    "read where files may be written": EACCES, "mkdir outside": EACCES, "unlink outside": EACCES,
    "rename outside": EACCES, "hard link into the writable folder": EXDEV,
    "rename into the writable folder": EACCES, "symbolic link": EACCES,
    "/proc/self/mem": EACCES, "/proc/self/environ": EACCES, "/proc/self/fd again": EACCES,
    "memory of the parent": EACCES, "environment of the parent": EACCES,
    // As if the kernel lacked them.
    "clone3": ENOSYS, "openat2": ENOSYS, "io_uring_setup": ENOSYS, "io_uring_enter": ENOSYS,
    "a call of a later kernel": ENOSYS, "32-bit call": ENOSYS, "x32 call": ENOSYS,
  ]
  /// Attacks that the kernel refuses even without a wall.
  private static let refusedAnyway: Set = ["rt_sigqueueinfo", "x32 call", "32-bit call"]

  @Test(arguments: ["attacks", "attacks-in-sqlite"])
  func `is refused whatever native code tries`(where: String) throws {
    let scene = try AttackScene()
    let confined = try ConfinedProgram.run([`where`, scene.path])
    #expect(confined.status == 0)
    #expect(
      confined.lines.first?.hasPrefix("confined: files (Landlock ") == true, "\(confined.lines)")
    let answers = confined.answers
    #expect(answers.count >= 90)
    for (name, answer) in answers {
      if name.hasPrefix("need: ") {
        #expect(answer == 0, "\(name)")
        continue
      }
      #expect(answer == Self.answers[name] ?? EPERM, "\(name)")
    }
    for name in Self.answers.keys where name != "32-bit call" && name != "x32 call" {
      #expect(answers[name] != nil, "\(name) was not tried")
    }
  }

  /// Otherwise the attacks would prove nothing.
  @Test(.enabled(if: geteuid() == 0, "only root may do all of it without a wall"))
  func `could do all of it without the wall`() throws {
    let scene = try AttackScene()
    let confined = try ConfinedProgram.run(["attacks", scene.path]).answers
    let free = try ConfinedProgram.run(["attacks-unconfined", try AttackScene().path])
    #expect(free.status == 0)
    #expect(free.answers.count == confined.count)
    for (name, answer) in free.answers where !Self.refusedAnyway.contains(name) {
      #expect(answer != confined[name], "\(name) fails alike without a wall")
    }
  }

  @Test func `can do what it needs`() throws {
    let scene = try AttackScene()
    let program = try ConfinedProgram.run(["needs", scene.path])
    #expect(program.status == 0)
    #expect(program.answers.count >= 15)
    for (name, failure) in program.answers { #expect(failure == 0, "\(name)") }
  }

  /// The error that each attack on the network must get; the others get `EPERM`.
  private static let networkAnswers: [String: Int32] = [
    "connect to another port": EACCES, "bind a port": EACCES, "open outside": EACCES,
  ]

  @Test(.enabled(if: tide_landlock_version() >= 4, "Landlock 4 is needed for ports"))
  func `that may use the network reaches a port, and nothing else`() throws {
    let servers = [HostileServer.withRoutes(), HostileServer.withRoutes()]
    let ports = servers.map { "\($0.port)" }
    let confined = try ConfinedProgram.run(["network"] + ports)
    let free = try ConfinedProgram.run(["network-unconfined"] + ports)
    #expect(confined.status == 0 && free.status == 0)
    #expect(confined.answers.count == 19)
    for (name, answer) in confined.answers {
      let expected = name.hasPrefix("need") ? 0 : Self.networkAnswers[name] ?? EPERM
      #expect(answer == expected, "\(name): \(confined.lines)")
    }
    if geteuid() == 0 {
      for (name, answer) in free.answers where !name.hasPrefix("need") {
        #expect(answer != confined.answers[name], "\(name) fails alike without a wall")
      }
    }
  }

  @Test func `cannot trick its broker`() throws {
    let scene = try AttackScene()
    let program = try ConfinedProgram.run(["broker", scene.path])
    #expect(program.status == 0)
    let answers = program.answers
    #expect(answers.count >= 20)
    for (name, failure) in answers {
      if name == "open: what may be reopened" {
        #expect(failure == 0, "the broker must still serve")
      } else {
        #expect(failure > 0, "\(name)")
      }
    }
    #expect(access("/tmp/tidelock-escaped", F_OK) != 0)
  }

  @Test func `says what the kernel lacks`() throws {
    let scene = try AttackScene()
    let program = ConfinedProgram.folder + "/Confined"
    func message(_ lacks: Int) throws -> String {
      let run = try ConfinedProgram.run(["simulate", "\(lacks)", program, "needs", scene.path])
      #expect(run.status == 69)
      return run.lines.last ?? ""
    }
    let start = "the process cannot be confined: "
    #expect(try message(1) == start + "files: the kernel has no Landlock")
    #expect(
      try message(2) == start + "system calls: seccomp is refused here, as in some containers")
    #expect(
      try message(3) == start
        + "files: the kernel has no Landlock; system calls: seccomp is refused here, as in some containers"
    )
    #expect(
      try message(4) == start
        + "files: Landlock 1 does not prevent readable files from being truncated; version 3 (Linux 6.2) does"
    )
    #expect(try message(8) == start + "files: Landlock is switched off in this kernel")
  }
}

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
    #expect(!confinement.rules.contains(FileRule("/etc/hosts", .read)))
    confinement.allowsNetwork = true
    #expect(confinement.rules.contains(FileRule("/etc/hosts", .read)))
    #expect(!confinement.rules.contains { "/etc/ssl/private".hasPrefix($0.path) })
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
