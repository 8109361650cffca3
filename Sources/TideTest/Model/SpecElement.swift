import TideBindings
import TideLua

/// A file, block, hook or test as the words of a spec declared it.
///
/// Blocks own their children and hooks; a block is empty until its function has run.
final class SpecElement {
  enum Mode: String {
    /// Globals and loaded modules are put back at its end.
    case insulate
    /// What it assigns is seen in the files that follow.
    case expose
  }

  let id: Int
  let descriptor: String
  let name: String?
  let function: LuaFunction?
  let mode: Mode?
  let trace: SpecTrace?
  // It owns this one among its children, and the runner owns the file that is around all of them.
  unowned(unsafe) let parent: SpecElement?

  /// All that it declared: blocks and tests in the order in which they run, and hooks among them.
  var children: [SpecElement] = []
  /// By descriptor.
  var hooks: [String: [SpecElement]] = [:]
  /// The globals that its functions see.
  var scope: LuaTable?
  /// What bindings and timers belong to that are made while it runs.
  var context: BindingContext?
  /// Whether its lazy set-up went well; nil until a test asked for it.
  var isSetUp: Bool?
  /// What to restore at its end.
  var saved: LuaValue?
  var seed: Int?
  var start = 0.0
  /// Where its function ends, if that is known.
  var lastLine: Int?
  /// Whether all that is in it runs, where tests are chosen by lines.
  var isChosen = false
  /// What went wrong when it was tried before, by `--retries`.
  var failedAttempts: [String] = []

  /// Whether it stands on a line of its file.
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

  /// The names of the blocks around it, up to its file, and its own.
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
      failedAttempts: failedAttempts)
  }
}

/// What reports know of a file, a block, a hook or a test.
package struct SpecNode: Sendable {
  /// The same for all events of one thing in a run.
  package var id: Int
  /// `file`, `describe`, `it`, `pending`, or the name of a hook.
  package var descriptor: String
  package var name: String?
  /// The names of the blocks around it and its own.
  package var fullName: String
  /// Where it was declared; nil for a file.
  package var trace: SpecTrace?
  package var parent: Int?
  /// The full name of the test that a hook ran for.
  package var test: String?
  /// By which the block around it was shuffled.
  package var seed: Int?
  /// In seconds since 1970.
  package var start = 0.0
  /// In seconds; nil while it runs.
  package var duration: Double?
  /// What went wrong each time that it was tried before, by `--retries`.
  package var failedAttempts: [String] = []

  package var isTest: Bool { descriptor == "it" }

  /// How often it was tried, for people; nil for once.
  var attempts: String? {
    failedAttempts.isEmpty ? nil : "tried \(failedAttempts.count + 1) times"
  }
}

/// How a test, or a function around it, ended.
public enum SpecStatus: String, Sendable {
  /// It passed.
  case success
  /// It was skipped, or is still to be written.
  case pending
  /// An assertion did not hold.
  case failure
  /// It raised an error, was stopped, or something around it failed.
  case error

  /// What it is together with what came after: what went wrong first counts.
  mutating func add(_ status: SpecStatus) {
    if self == .success || (self == .pending && status != .success) { self = status }
  }
}
