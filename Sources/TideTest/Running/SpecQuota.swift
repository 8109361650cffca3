import TideBindings
import TideSystem

/// Limits the data of a sandboxed file's specs in the runner: names, messages, output and
/// snapshots. They are stored outside of the interpreter, whose budget does not cover them.
struct SpecQuota {
  /// The limit of a name or message, in bytes.
  static let longestText = 64 << 10
  static let mostElements = 100_000
  static let mostOutput = 16 << 20
  static let mostSnapshots = 16 << 20

  private var elements = 0
  private var output = 0
  private var snapshots = 0

  /// Counts a declared block, hook or test, and checks its name's length.
  mutating func declare(_ name: String?) throws {
    elements += 1
    if elements > Self.mostElements {
      throw TideError(
        .full, "a sandboxed file declares at most \(Self.mostElements) blocks, hooks and tests")
    }
    if let name, name.utf8.count > Self.longestText {
      throw TideError(
        .full,
        "in the sandbox a name has at most \(Self.longestText >> 10) KiB, and this one has "
          + "\(name.utf8.count >> 10)")
    }
  }

  mutating func keepSnapshot(_ text: String, as name: String) throws {
    snapshots += text.utf8.count + name.utf8.count
    if snapshots > Self.mostSnapshots {
      throw TideError(
        .full, "the snapshots of a sandboxed file have at most \(Self.mostSnapshots >> 20) MiB")
    }
  }

  /// The part of some output within the limit. A note is appended once when the limit is reached.
  mutating func passed(_ bytes: [UInt8]) -> [UInt8] {
    if output > Self.mostOutput { return [] }
    output += bytes.count
    if output <= Self.mostOutput { return bytes }
    let note =
      "\n(the rest is left out: a sandboxed file prints at most \(Self.mostOutput >> 20) MiB)\n"
    return bytes.prefix(bytes.count - (output - Self.mostOutput)) + Array(note.utf8)
  }
}

extension String {
  /// The text, truncated to the sandbox's limit.
  fileprivate var kept: String {
    if utf8.count <= SpecQuota.longestText { return self }
    return String(decoding: utf8.prefix(SpecQuota.longestText), as: UTF8.self) + " …"
  }
}

extension SpecTrace {
  fileprivate var kept: SpecTrace {
    var trace = self
    trace.source = source.kept
    trace.file = file.kept
    trace.traceback = traceback?.kept
    return trace
  }
}

extension SpecProblem {
  /// The problem, truncated to the sandbox's limits.
  var kept: SpecProblem {
    SpecProblem(status: status, message: message?.kept, trace: trace?.kept, source: source)
  }
}

extension SpecRuntime.Declaration {
  /// The declaration, truncated to the sandbox's limits.
  var kept: SpecRuntime.Declaration {
    var declaration = self
    declaration.trace = trace?.kept
    return declaration
  }
}

/// The system's clocks, in seconds; tests have their own clock.
enum Seconds {
  /// The monotonic clock.
  static var monotonic: Double { read(CLOCK_MONOTONIC) }
  /// The time since 1970.
  static var sinceEpoch: Double { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// A number of seconds as text, without a fraction if it is whole.
  static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && seconds < 1e15 ? "\(Int(seconds))" : "\(seconds)"
  }
}
