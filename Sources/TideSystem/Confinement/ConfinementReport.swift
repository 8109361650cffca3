/// The enforced parts of a confinement, and the reasons why others are not enforced.
///
/// ```swift
/// let report = try confinement.apply(.bestEffort)
/// if let reason = report.shortfall(of: .files) { print("files stay open:", reason) }
/// ```
public struct ConfinementReport: Sendable, CustomStringConvertible {
  /// A part of the confinement, each enforced by a different mechanism.
  public enum Part: String, Sendable, CaseIterable {
    /// Landlock: access to files outside of the given folders.
    case files
    /// seccomp: programs, sockets, other processes, namespaces, system administration.
    case systemCalls = "system calls"
    /// no_new_privs: gaining privileges.
    case privileges
    /// No core dumps, and no inspection by other processes of the same user.
    case dumps
  }

  /// The kernel's Landlock ABI version; 0 without Landlock.
  public internal(set) var landlockVersion = 0
  /// Allowed paths that do not exist or cannot be opened.
  public internal(set) var skipped: [String] = []
  private var reasons: [Part: String] = [:]

  /// Why a part is not, or only partly, enforced; nil if it is.
  public func shortfall(of part: Part) -> String? { reasons[part] }

  /// Whether all parts are enforced.
  public var isComplete: Bool { reasons.isEmpty }

  /// All reasons on one line; empty if all parts are enforced.
  public var shortfalls: String {
    Part.allCases.compactMap { part in reasons[part].map { "\(part.rawValue): \($0)" } }
      .joined(separator: "; ")
  }

  /// The enforced parts.
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

/// The reason why a process cannot be confined.
///
/// ```swift
/// do { try confinement.apply() } catch { print(error.message) }
/// ```
public struct ConfinementError: Error, Sendable, CustomStringConvertible {
  /// The missing parts, as text for people.
  public let message: String
  /// The message.
  public var description: String { message }

  init(_ message: String) { self.message = message }
}
