/// The results so far: counts and lists for the end of every report.
struct Tally {
  struct Entry {
    var node: SpecNode
    var message: String?
    /// The location of the problem, else of the test's declaration.
    var trace: SpecTrace?
    /// The script line of the problem.
    var source: SourceLine?
    var isError = false

    /// The location of the declaration, else of the problem.
    var origin: SpecTrace? { node.trace ?? trace }
  }

  private(set) var successes: [Entry] = []
  private(set) var pendings: [Entry] = []
  private(set) var failures: [Entry] = []
  private(set) var errors: [Entry] = []
  /// The number of failed tests; a single test may have several failures.
  private(set) var failureCount = 0
  private(set) var duration = 0.0
  /// Tests that passed after a retry; they also count as successes.
  var flaky: [Entry] { successes.filter { !$0.node.failedAttempts.isEmpty } }
  private let suppressesPending: Bool
  private var skipping: [Int: SpecProblem] = [:]

  init(_ style: ReportStyle) { self.init(suppressesPending: style.suppressesPending) }
  private init(suppressesPending: Bool) { self.suppressesPending = suppressesPending }

  /// Whether reports omit an event.
  private func isSuppressed(_ event: SpecEvent) -> Bool {
    guard suppressesPending else { return false }
    switch event {
    case .testStart(let node): return node.descriptor == "pending"
    case .testEnd(let node, let status): return node.descriptor == "pending" || status == .pending
    default: return false
    }
  }

  /// Counts an event and returns it for reporting; nil if reports omit it.
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
