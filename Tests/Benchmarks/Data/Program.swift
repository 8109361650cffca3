import Foundation

/// A program that is measured: started by the system's own calls, with the processor time that it
/// has taken by its end.
///
/// With a terminal it is the leader of a session, so that it can open `/dev/tty` for its keys while
/// its standard input is a pipe.
final class Program: @unchecked Sendable {
  let id: pid_t
  /// What is written here the program reads as its standard input, until it is closed.
  private(set) var input: Int32
  /// What the program prints, or draws on its terminal.
  let output: Int32

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static var tidelock: String {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "tidelock").path
  }

  /// `POSIX_SPAWN_SETSID`, which Swift does not see.
  private static let ownSession: Int16 = 0x80

  /// Starts a program, in a folder that is also its home.
  ///
  /// - Throws: ``Failure`` when the system cannot.
  init(_ command: [String], in folder: URL, onTerminal: Bool) throws {
    var feed: [Int32] = [-1, -1], printed: [Int32] = [-1, -1]
    guard pipe(&feed) == 0 else { throw Failure(description: "no pipe") }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, feed[0], 0)
    if onTerminal {
      var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
      var name = [CChar](repeating: 0, count: 64)
      var terminal: (Int32, Int32) = (-1, -1)
      guard openpty(&terminal.0, &terminal.1, &name, nil, &size) == 0 else {
        throw Failure(description: "no terminal")
      }
      printed = [terminal.0, terminal.1]
      posix_spawnattr_setflags(&attributes, Self.ownSession)
      posix_spawn_file_actions_addopen(&actions, 1, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    } else {
      guard pipe(&printed) == 0 else { throw Failure(description: "no pipe") }
      posix_spawn_file_actions_adddup2(&actions, printed[1], 1)
    }
    for descriptor in [feed[1], printed[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var words = Self.pointers(to: command)
    var environment = Self.pointers(to: [
      "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "HOME=\(folder.path)",
    ])
    defer { for text in words + environment { free(text) } }
    guard chdir(folder.path) == 0 else { throw Failure(description: "no folder \(folder.path)") }
    var child = pid_t()
    let failure = posix_spawn(&child, command[0], &actions, &attributes, &words, &environment)
    close(feed[0])
    close(printed[1])
    guard failure == 0 else {
      throw Failure(description: "\(command[0]): \(String(cString: strerror(failure)))")
    }
    id = child
    input = feed[1]
    output = printed[0]
  }

  /// Copies of texts as C takes them, which end with none.
  private static func pointers(to texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    copies.append(nil)
    return copies
  }

  /// Writes all of some bytes, however long the program takes to read them.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends the program's input.
  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits until the program is gone, and gives the seconds of processor time that it took.
  func end(by signal: Int32? = nil) -> Double {
    if let signal { kill(id, signal) }
    closeInput()
    var ending: Int32 = 0
    var usage = rusage()
    while wait4(id, &ending, 0, &usage) < 0, errno == EINTR {}
    close(output)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// The processor time that it has taken so far, in seconds.
  var processorTime: Double {
    guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      let name = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[name...].split(separator: " ")
    let ticks = fields[12...13].compactMap { Double($0) }.reduce(0, +)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

private func seconds(_ time: timeval) -> Double {
  Double(time.tv_sec) + Double(time.tv_usec) / 1e6
}

func secondsNow() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A folder that is removed with the workload.
func withFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "tidelock-data-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}
