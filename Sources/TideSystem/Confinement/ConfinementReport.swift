/// Which parts of a wall stand, and why others do not.
///
/// ```swift
/// let report = try confinement.apply(.bestEffort)
/// if let reason = report.shortfall(of: .files) { print("files stay open:", reason) }
/// ```
public struct ConfinementReport: Sendable, CustomStringConvertible {
  /// A part of the wall, held by a mechanism of its own.
  public enum Part: String, Sendable, CaseIterable {
    /// Landlock: files outside of the folders that were named.
    case files
    /// seccomp: programs, sockets, other processes, namespaces, the machine.
    case systemCalls = "system calls"
    /// no_new_privs: more rights than the process has.
    case privileges
    /// No core is dumped, and others of the same user cannot look inside.
    case dumps
  }

  /// The version of Landlock's ABI that the kernel has; 0 without Landlock.
  public internal(set) var landlockVersion = 0
  /// Paths that were to be allowed but do not exist, or cannot be opened.
  public internal(set) var skipped: [String] = []
  private var reasons: [Part: String] = [:]

  /// Why a part does not stand, or only partly; nil where it does.
  public func shortfall(of part: Part) -> String? { reasons[part] }

  /// Whether everything stands.
  public var isComplete: Bool { reasons.isEmpty }

  /// All reasons in one line; empty where everything stands.
  public var shortfalls: String {
    Part.allCases.compactMap { part in reasons[part].map { "\(part.rawValue): \($0)" } }
      .joined(separator: "; ")
  }

  /// The parts that stand.
  public var description: String {
    let held = Part.allCases.filter { reasons[$0] == nil }.map { part in
      part == .files ? "files (Landlock \(landlockVersion))" : part.rawValue
    }
    return held.isEmpty ? "nothing" : held.joined(separator: ", ")
  }

  mutating func note(_ part: Part, failure: Int32, _ mechanism: String) {
    guard failure != 0 else { return }
    let reason =
      switch failure {
      case ENOSYS: "the kernel has no \(mechanism)"
      case EOPNOTSUPP: "\(mechanism) is switched off in this kernel"
      case EPERM, EACCES: "\(mechanism) is refused here, as in some containers"
      case EAGAIN: "\(mechanism) does not reach a thread that already exists"
      default: "\(mechanism) failed: \(SystemText.of(failure))"
      }
    note(part, reason)
  }

  mutating func note(_ part: Part, _ reason: String) { reasons[part] = reasons[part] ?? reason }
}

/// Why a process cannot be confined.
///
/// ```swift
/// do { try confinement.apply() } catch { print(error.message) }
/// ```
public struct ConfinementError: Error, Sendable, CustomStringConvertible {
  /// What is missing, for people.
  public let message: String
  /// The message.
  public var description: String { message }

  init(_ message: String) { self.message = message }
}
