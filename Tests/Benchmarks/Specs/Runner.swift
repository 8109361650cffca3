import Foundation

/// A program that runs the specs of a folder.
struct Runner {
  let program: String
  let arguments: [String]

  static let tidelock = Runner(
    program: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tidelock").path, arguments: ["test"])
  /// Nil where it is not installed.
  static let busted: Runner? =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/busted")
    ? Runner(program: "/usr/bin/busted", arguments: []) : nil

  struct Failure: Error {
    let status: Int32
  }

  /// How long it takes, in milliseconds: the shortest of several times.
  func time(in folder: SpecFolder, times: Int) throws -> Double {
    var shortest = Double.infinity
    for _ in 0..<times {
      let start = ContinuousClock.now
      let status = try run(in: folder)
      shortest = min(shortest, milliseconds(since: start))
      guard status == 0 else { throw Failure(status: status) }
    }
    return shortest
  }

  /// Runs it without a report and waits for its end: by the system's own calls, because
  /// Foundation's process looks for the end only so often, which is more than a short run takes.
  private func run(in folder: SpecFolder) throws -> Int32 {
    // The child begins where this program is.
    guard chdir(folder.url.path) == 0 else { throw Failure(status: errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for output in Int32(1)...2 {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child = pid_t()
    let failure = posix_spawn(&child, program, &actions, nil, words, environ)
    guard failure == 0 else { throw Failure(status: failure) }
    var ending: Int32 = 0
    while waitpid(child, &ending, 0) < 0 {
      guard errno == EINTR else { throw Failure(status: errno) }
    }
    return ending == 0 ? 0 : max(1, (ending >> 8) & 0xff)
  }
}

func milliseconds(since start: ContinuousClock.Instant) -> Double {
  let parts = start.duration(to: .now).components
  return Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
}
