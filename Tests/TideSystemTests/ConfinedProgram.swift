import CTideSystem
import Glibc
import Testing

@testable import TideSystem

/// A run of the program `Confined`, which is built beside the tests.
struct ConfinedProgram {
  let status: Int32
  let lines: [String]

  /// The error number of each attempt, by its name.
  var answers: [String: Int32] {
    var answers: [String: Int32] = [:]
    for line in lines {
      let parts = line.split(separator: "\t")
      if parts.count == 2, let number = Int32(parts[1]) { answers[String(parts[0])] = number }
    }
    return answers
  }

  static let folder: String = {
    let tests = SystemPath.real("/proc/self/exe") ?? ""
    return tests.lastIndex(of: "/").map { String(tests[..<$0]) } ?? "."
  }()

  static func run(_ arguments: [String]) throws -> ConfinedProgram {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    // Otherwise programs that other tests start meanwhile would keep it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    defer { posix_spawn_file_actions_destroy(&actions) }
    var strings = ([folder + "/Confined"] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, folder + "/Confined", &actions, nil, &strings, environ)
    close(ends[1])
    defer { close(ends[0]) }
    try #require(failure == 0, "\(folder)/Confined: \(SystemText.of(failure))")
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65536)
    while case let count = read(ends[0], &room, room.count), count > 0 { bytes += room[..<count] }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let text = String(decoding: bytes, as: UTF8.self)
    return ConfinedProgram(
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
      lines: text.split(separator: "\n").map(String.init))
  }

  /// Why no wall can be put up on this machine; nil where one can.
  static let lack: String? = {
    if tide_is_sanitized() { return "the build has a sanitizer" }
    let version = tide_landlock_version()
    if version <= 0 { return "the kernel has no Landlock" }
    if version < 3 { return "Landlock \(version) is too old" }
    return tide_filter_probe() == 0 ? nil : "seccomp is refused here"
  }()
}
