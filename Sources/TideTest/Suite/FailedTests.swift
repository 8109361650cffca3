import TideSystem

/// The tests of a project that failed in the last run, by file and full name.
///
/// A run removes tests that passed, and keeps tests that did not run.
package struct FailedTests: Sendable, Equatable {
  /// Full names by file; an empty set for a file that could not run.
  private(set) var names: [String: Set<String>] = [:]

  package init() {}

  package var isEmpty: Bool { names.isEmpty }
  package var files: Set<String> { Set(names.keys) }

  /// Whether a test failed, or whether a block contains one that did.
  func contains(_ fullName: String, isBlock: Bool, in file: String) -> Bool {
    guard let names = names[file] else { return false }
    if names.isEmpty || names.contains(fullName) { return true }
    return isBlock && names.contains { $0.hasPrefix(fullName + " ") }
  }

  /// The results of one run.
  struct Outcome {
    private var file = ""
    private var ran: [String: Set<String>] = [:]
    private var failed: [String: Set<String>] = [:]
    private var brokenFiles: Set<String> = []

    mutating func take(_ event: SpecEvent) {
      switch event {
      case .fileStart(let node):
        file = node.fileName
        if ran[file] == nil { ran[file] = [] }
      case .testEnd(let node, let status):
        ran[file, default: []].insert(node.fullName)
        if status == .failure || status == .error {
          failed[file, default: []].insert(node.fullName)
        }
      case .problem(let node, let problem) where !node.isTest && problem.status != .pending:
        if node.descriptor == "file" { file = node.fileName }
        guard !file.isEmpty else { return }
        // A failed hook for one test; otherwise the affected tests are unknown.
        if let test = node.test {
          failed[file, default: []].insert(test)
        } else {
          brokenFiles.insert(file)
        }
      default: break
      }
    }

    /// - Parameter isPartial: whether the run excluded tests of these files, which keep their
    ///   state.
    func update(_ tests: inout FailedTests, isPartial: Bool) {
      for file in Set(ran.keys).union(brokenFiles) {
        var names = failed[file] ?? []
        if isPartial { names.formUnion((tests.names[file] ?? []).subtracting(ran[file] ?? [])) }
        let isBroken = brokenFiles.contains(file)
        tests.names[file] = isBroken ? [] : names.isEmpty ? nil : names
      }
    }
  }

  // MARK: Text

  /// One JSON object per file, each on its own line.
  package var text: String {
    var text = ""
    for (file, names) in names.sorted(by: { $0.key < $1.key }) {
      var object = JSONLine()
      object.add("file", file)
      object.add("tests", names.sorted())
      text += object.text + "\n"
    }
    return text
  }

  /// Parses the lines of `text`; skips malformed ones.
  package init(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let object = try? JSONValue(parsing: Array(line.utf8)),
        let file = object["file"].string,
        case .array(let tests) = object["tests"]
      else { continue }
      names[file] = Set(tests.compactMap(\.string))
    }
  }
}
