package import TideSystem

/// The built program as a language server, with pipes to a client.
package final class ServerProgram {
  package let client: EditorClient
  package let process: pid_t
  private var status: Int32?
  private let errorFile: String

  package struct Failure: Error {
    let reason: String
  }

  /// - Parameter folder: where it starts, and where its standard error goes, to the file `.errors`.
  package init(_ command: [String], in folder: String) throws {
    let (input, output) = (try Channel(), try Channel())
    errorFile = folder + "/.errors"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_addopen(
      &actions, 2, errorFile, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
    var strings = (["/usr/bin/env", "-C", folder] + command).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, "/usr/bin/env", &actions, nil, &strings, environ)
    close(input.reading)
    close(output.writing)
    client = EditorClient(reading: output.reading, writing: input.writing)
    self.process = process
    guard failure == 0 else { throw Failure(reason: SystemText.of(failure)) }
  }

  deinit {
    if status == nil, process > 0 {
      kill(process, SIGKILL)
      _ = wait(seconds: 10)
    }
  }

  /// Waits for its end, and gives its exit code; nil where it does not end, or a signal has ended
  /// it.
  package func wait(seconds: Double = 10) -> Int32? {
    for _ in 0..<Int(seconds * 100) where status == nil {
      var found: Int32 = 0
      if waitpid(process, &found, WNOHANG) == process {
        status = found
      } else {
        usleep(10_000)
      }
    }
    return status.flatMap { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : nil }
  }

  /// What it has written to standard error.
  package var errors: String {
    guard let file = fopen(errorFile, "r") else { return "" }
    defer { fclose(file) }
    var room = [UInt8](repeating: 0, count: 1 << 14)
    let count = fread(&room, 1, room.count, file)
    return String(decoding: room[..<count], as: UTF8.self)
  }

  /// The bytes of memory that it has now.
  package var memory: Int {
    guard let file = fopen("/proc/\(process)/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 256)
    let count = fread(&line, 1, line.count, file)
    let words = String(decoding: line[..<count], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
  }
}

/// A way for bytes, as a pipe is. Unlike a pipe's, its ends are never inherited by a program that
/// another test starts at the same time, which would hold them open.
package struct Channel {
  package let reading: Int32
  package let writing: Int32

  package struct Failure: Error {}

  package init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure() }
    (reading, writing) = (ends[0], ends[1])
  }
}
