import Glibc
import TestFolders
import Testing

/// A run of the built `tidelock`.
final class Program {
  /// What it has written, and how it ended.
  struct Outcome {
    var status: Ending
    var output: String
    var errors: String
    /// Seconds of its processor time.
    var processorTime = 0.0
    /// The most bytes of memory that it was seen to have while it ran.
    var peakMemory = 0

    var outputLines: [String] { Self.lines(output) }
    var errorLines: [String] { Self.lines(errors) }

    private static func lines(_ text: String) -> [String] {
      text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }
  }

  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  struct Failure: Error {
    let reason: String
  }

  enum Stream {
    /// To a file that the test reads.
    case captured
    /// As after `>&-`.
    case closed
    /// A pipe that nobody reads.
    case broken
    case terminal(String)
  }

  let process: pid_t
  private let folder: ScratchFolder
  private var ending: Ending?
  private var processorTime = 0.0
  private var peakMemory = 0
  /// What the kernel calls it once it runs.
  private let names: Set<Substring?>

  /// Beside the tests, or another one that `TIDELOCK_PROGRAM` names.
  static let path: String = {
    if let given = getenv("TIDELOCK_PROGRAM") { return String(cString: given) }
    guard let file = realpath("/proc/self/exe", nil) else { return "tidelock" }
    defer { free(file) }
    let tests = String(cString: file)
    return tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)] + "/tidelock"
  }()

  /// Runs to the end.
  static func run(
    _ arguments: [String], in folder: ScratchFolder, output: Stream = .captured,
    environment: [String: String] = [:], input: String? = nil, kernel: Kernel? = nil
  ) throws -> Outcome {
    let file = input.map { folder.write($0, to: ".input") }
    return try Program(
      arguments, in: folder, output: output, environment: environment, input: file ?? "/dev/null",
      kernel: kernel
    ).finish()
  }

  /// - Parameters:
  ///   - folder: the current folder of the program, which also gets what it writes.
  ///   - part: a folder in that one which is the current folder in its place.
  ///   - kernel: one that is simulated in place of this machine's.
  convenience init(
    _ arguments: [String], in folder: ScratchFolder, below part: String = "",
    output: Stream = .captured, environment: [String: String] = [:], input: String = "/dev/null",
    kernel: Kernel? = nil
  ) throws {
    let simulator = kernel.map {
      [Self.path.dropLast("tidelock".count) + "Confined", "simulate", "\($0.lacks)"]
    }
    try self.init(
      executable: (simulator ?? []) + [Self.path] + arguments, in: folder, below: part,
      output: output, environment: environment, input: input)
  }

  /// The same for another program than `tidelock`, such as a shell that runs it.
  init(
    executable: [String], in folder: ScratchFolder, below part: String = "", output: Stream,
    environment: [String: String] = [:], input: String = "/dev/null"
  ) throws {
    self.folder = folder
    names = Set(executable.map { $0.split(separator: "/").last?.prefix(15) })
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var ends: [Int32] = [-1, -1]
    switch output {
    case .captured:
      posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
      Self.capture(&actions, 1, folder.path + "/.output")
      Self.capture(&actions, 2, folder.path + "/.errors")
    case .closed:
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addclose(&actions, 1)
      Self.capture(&actions, 2, folder.path + "/.errors")
    case .broken:
      pipe(&ends)
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      posix_spawn_file_actions_addclose(&actions, ends[0])
      posix_spawn_file_actions_addclose(&actions, ends[1])
      Self.capture(&actions, 2, folder.path + "/.errors")
    case .terminal(let name):
      // The first terminal that a session's leader opens becomes its own.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    defer { for end in ends where end >= 0 { close(end) } }
    process = try Self.spawn(executable, in: folder.path + "/" + part, &actions, environment)
  }

  private static func capture(
    _ actions: inout posix_spawn_file_actions_t, _ descriptor: Int32, _ path: String
  ) {
    posix_spawn_file_actions_addopen(
      &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
  }

  private static func spawn(
    _ command: [String], in folder: String,
    _ actions: inout posix_spawn_file_actions_t, _ environment: [String: String]
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The test runner's threads block signals, and may ignore some.
    var none = sigset_t()
    sigemptyset(&none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGINT, SIGPIPE, SIGTERM] { sigaddset(&usual, number) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80 /* SETSID */))
    var variables = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color"]
    for name in ["LD_LIBRARY_PATH", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    variables.merge(environment) { $1 }
    var process: pid_t = 0
    // It becomes the program once it is in the folder.
    let mover = "/usr/bin/env"
    var strings = ([mover, "-C", folder] + command).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in strings + settings { free(string) } }
    let failure = posix_spawn(&process, mover, &actions, &attributes, &strings, &settings)
    guard failure == 0 else {
      throw Failure(reason: "\(mover): \(String(cString: strerror(failure)))")
    }
    return process
  }

  deinit {
    guard ending == nil else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  func send(_ number: Int32) { kill(process, number) }

  /// What it has written so far.
  var output: String { folder.read(".output") }
  var errors: String { folder.read(".errors") }

  /// Waits until it has written something.
  func wait(
    seconds: Double = 20, until condition: (Program) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for _ in 0..<Int(seconds * 100) {
      if condition(self) { return }
      if poll() != nil { break }
      usleep(10_000)
    }
    if condition(self) { return }
    Issue.record(
      "it never came: \(ending.map { "\($0)" } ?? "running")\n\(output)\n\(errors)",
      sourceLocation: sourceLocation)
  }

  /// Waits for its end, ten times as long with a sanitizer.
  func finish(seconds: Double = 30, meanwhile: () -> Void = {}) -> Outcome {
    let factor: Double = hasSanitizer ? 10 : 1
    for _ in 0..<Int(seconds * 200 * factor) {
      if poll() != nil { break }
      meanwhile()
      usleep(5000)
    }
    if ending == nil {
      kill(process, SIGKILL)
      _ = reap(waiting: true)
      ending = .timedOut
    }
    return Outcome(
      status: ending ?? .timedOut, output: output, errors: errors, processorTime: processorTime,
      peakMemory: peakMemory)
  }

  /// Gives its status once it has ended, and notes what it has used.
  private func reap(waiting: Bool) -> Int32? {
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, waiting ? 0 : WNOHANG, &usage) == process else { return nil }
    processorTime = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    return status
  }

  /// Notes its peak memory so far. What `wait4` reports after its end would include the memory of
  /// the process that it was forked from, as does the file until the new program bears its name.
  private func notePeak() {
    guard let file = fopen("/proc/\(process)/status", "r") else { return }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
      )
      .split(whereSeparator: \.isWhitespace)
      if words.first == "Name:", !names.contains(words.last) { return }
      if words.first == "VmHWM:", words.count > 1, let size = Int(words[1]) {
        peakMemory = max(peakMemory, size << 10)
        return
      }
    }
  }

  private func poll() -> Ending? {
    if let ending { return ending }
    notePeak()
    guard let status = reap(waiting: false) else { return nil }
    let number = status & 0x7f
    ending = number == 0 ? .exited((status >> 8) & 0xff) : .signalled(number)
    return ending
  }
}

/// A suite whose scripts run as `app.lua` in its folder.
protocol AppSuite {
  var folder: ScratchFolder { get }
}

extension AppSuite {
  func start(
    _ script: String, _ arguments: [String] = [], output: Program.Stream = .captured
  ) throws -> Program {
    folder.write(script, to: "app.lua")
    return try Program(["run", "app.lua"] + arguments, in: folder, output: output)
  }

  /// Runs it to the end.
  func run(
    _ script: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    folder.write(script, to: "app.lua")
    return try Program.run(["run", "app.lua"] + arguments, in: folder, environment: environment)
  }
}

/// A kernel that offers less than this one, which the program `Confined` simulates.
struct Kernel {
  /// The flags of NativeAttacks.h.
  let lacks: Int

  static let withoutLandlock = Kernel(lacks: 1)
  static let withoutSeccomp = Kernel(lacks: 2)
  static let withOldLandlock = Kernel(lacks: 4)
  static let withLandlockOff = Kernel(lacks: 8)

  /// Whether this machine's kernel can confine a program entirely.
  static let confines: Bool = {
    guard let folder = try? ScratchFolder() else { return false }
    folder.write("", to: "empty.lua")
    let outcome = try? Program.run(["repl", "-e", "1", "--confine", "required"], in: folder)
    return outcome?.status == .exited(0)
  }()
}
