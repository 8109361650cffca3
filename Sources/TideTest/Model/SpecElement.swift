import TideBindings
import TideLua

/// A file, block, hook or test as a spec declared it.
///
/// Blocks own their children and hooks; a block has none until its function has run.
final class SpecElement {
  enum Mode: String {
    /// Globals and loaded modules are restored at its end.
    case insulate
    /// Its assignments are visible to later files.
    case expose
  }

  let id: Int
  let descriptor: String
  let name: String?
  let function: LuaFunction?
  let mode: Mode?
  let trace: SpecTrace?
  // Unowned: the parent owns this element as a child, and the runner owns the root.
  unowned(unsafe) let parent: SpecElement?

  /// All declared blocks, tests and hooks, in order of execution.
  var children: [SpecElement] = []
  /// Hooks by descriptor.
  var hooks: [String: [SpecElement]] = [:]
  /// The environment of its functions.
  var scope: LuaTable?
  /// Owns the bindings and timers made while it runs.
  var context: BindingContext?
  /// Whether its lazy set-up succeeded; nil before a test needs it.
  var isSetUp: Bool?
  /// The globals and modules to restore at its end.
  var saved: LuaValue?
  var seed: Int?
  var start = 0.0
  /// The last line of its function, if known.
  var lastLine: Int?
  /// Whether all its children run, when tests are selected by line.
  var isChosen = false
  /// The error messages of earlier attempts, with `--retries`.
  var failedAttempts: [String] = []
  /// The paths of the files that show what it saw when it failed, with `--artifacts`.
  var artifacts: [String] = []

  /// Whether its declaration includes a line of the file.
  func contains(line: Int) -> Bool {
    guard let first = trace?.line else { return false }
    return line >= first && line <= max(first, lastLine ?? first)
  }

  init(
    _ id: Int, _ descriptor: String, named name: String?, _ function: LuaFunction?,
    mode: Mode? = nil, trace: SpecTrace? = nil, in parent: SpecElement?
  ) {
    self.id = id
    self.descriptor = descriptor
    self.name = name
    self.function = function
    self.mode = mode
    self.trace = trace
    self.parent = parent
  }

  var isHook: Bool { !["describe", "it", "pending"].contains(descriptor) }

  /// Its name, preceded by the names of the enclosing blocks.
  private(set) lazy var fullName: String = {
    var names = [name ?? descriptor]
    var next = parent
    while let block = next, block.descriptor != "file" {
      names.append(block.name ?? block.descriptor)
      next = block.parent
    }
    return names.reversed().joined(separator: " ")
  }()

  func node(duration: Double? = nil) -> SpecNode {
    SpecNode(
      id: id, descriptor: descriptor, name: name, fullName: fullName, trace: trace,
      parent: parent?.id, seed: parent?.seed, start: start, duration: duration,
      failedAttempts: failedAttempts, artifacts: artifacts)
  }
}

/// A file, block, hook or test as reports see it.
package struct SpecNode: Sendable {
  /// Identical in all events of one element in a run.
  package var id: Int
  /// `file`, `describe`, `it`, `pending`, or the name of a hook.
  package var descriptor: String
  package var name: String?
  /// Its name, preceded by the names of the enclosing blocks.
  package var fullName: String
  /// The location of its declaration; nil for a file.
  package var trace: SpecTrace?
  package var parent: Int?
  /// The full name of the test that a hook ran for.
  package var test: String?
  /// The seed that shuffled the enclosing block.
  package var seed: Int?
  /// The start time in seconds since 1970.
  package var start = 0.0
  /// The duration in seconds; nil while it runs.
  package var duration: Double?
  /// The error messages of earlier attempts, with `--retries`.
  package var failedAttempts: [String] = []
  /// The paths of the files that show what a failed test saw, with `--artifacts`.
  package var artifacts: [String] = []

  package var isTest: Bool { descriptor == "it" }

  /// The number of attempts as text; nil for a single attempt.
  var attempts: String? {
    failedAttempts.isEmpty ? nil : "tried \(failedAttempts.count + 1) times"
  }
}

/// The result of a test, hook or block.
public enum SpecStatus: String, Sendable {
  /// It passed.
  case success
  /// It was skipped, or has no body yet.
  case pending
  /// An assertion failed.
  case failure
  /// It raised an error, was stopped, or a hook or block around it failed.
  case error

  /// Merges a later result; the first problem counts.
  mutating func add(_ status: SpecStatus) {
    if self == .success || (self == .pending && status != .success) { self = status }
  }
}
