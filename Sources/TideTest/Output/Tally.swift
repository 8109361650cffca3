/// What came of the tests so far: the counts and lists that every report ends with.
struct Tally {
  struct Entry {
    var node: SpecNode
    var message: String?
    /// Where it went wrong, else where the test was declared.
    var trace: SpecTrace?
    /// The line of the script that it went wrong in.
    var source: SourceLine?
    var isError = false

    /// Where it was declared, else where it went wrong.
    var origin: SpecTrace? { node.trace ?? trace }
  }

  private(set) var successes: [Entry] = []
  private(set) var pendings: [Entry] = []
  private(set) var failures: [Entry] = []
  private(set) var errors: [Entry] = []
  /// Tests that ended so; a test may have failed more than once.
  private(set) var failureCount = 0
  private(set) var duration = 0.0
  /// Tests that passed when they were tried again; they are among the successes, too.
  var flaky: [Entry] { successes.filter { !$0.node.failedAttempts.isEmpty } }
  private let suppressesPending: Bool
  private var skipping: [Int: SpecProblem] = [:]

  init(_ style: ReportStyle) { self.init(suppressesPending: style.suppressesPending) }
  private init(suppressesPending: Bool) { self.suppressesPending = suppressesPending }

  /// Whether reports are to leave an event out.
  private func isSuppressed(_ event: SpecEvent) -> Bool {
    guard suppressesPending else { return false }
    switch event {
    case .testStart(let node): return node.descriptor == "pending"
    case .testEnd(let node, let status): return node.descriptor == "pending" || status == .pending
    default: return false
    }
  }

  /// Counts an event, and gives it to be reported; nil for what reports are to leave out.
  @discardableResult
  mutating func take(_ event: SpecEvent) -> SpecEvent? {
    if isSuppressed(event) { return nil }
    switch event {
    case .suiteStart(let start) where start.number > 1:
      self = Tally(suppressesPending: suppressesPending)
    case .suiteEnd(let seconds): duration = seconds
    case .testEnd(let node, let status): end(node, status)
    case .problem(let node, let problem): take(problem, in: node)
    default: break
    }
    return event
  }

  private mutating func end(_ node: SpecNode, _ status: SpecStatus) {
    switch status {
    case .success: successes.append(Entry(node: node, trace: node.trace))
    case .pending:
      let problem = skipping.removeValue(forKey: node.id)
      pendings.append(
        Entry(node: node, message: problem?.message, trace: problem?.trace ?? node.trace))
    case .failure: failureCount += 1
    case .error: break
    }
  }

  private mutating func take(_ problem: SpecProblem, in node: SpecNode) {
    let entry = Entry(
      node: node, message: problem.message, trace: problem.trace ?? node.trace,
      source: problem.source)
    switch problem.status {
    case .pending: skipping[node.id] = problem
    case .failure where node.isTest: failures.append(entry)
    case .failure, .error:
      errors.append(entry)
      errors[errors.count - 1].isError = true
    case .success: break
    }
  }
}
