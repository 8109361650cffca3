// Handles earlier failures: retries in this run, and `--failed` from the previous one.
extension SpecRunner {
  /// Runs a test, and retries it while it fails, up to `--retries` times. The report contains the
  /// last attempt and the messages of the earlier ones.
  func tryAgain(_ test: SpecElement, _ run: () -> Void) {
    guard options.retries > 0 else { return run() }
    test.failedAttempts = []
    let (hadSkipped, hadFailed) = (hasSkipped, hasFailedFast)
    while true {
      heldEvents = []
      run()
      let events = heldEvents ?? []
      heldEvents = nil
      let problem = events.lazy.compactMap(\.failure).first
      let isLast = test.failedAttempts.count == options.retries
      guard let problem, !isLast, isOpen, !isInterrupted else { return events.forEach(report) }
      test.failedAttempts.append(problem.message ?? "Nil error")
      (hasSkipped, hasFailedFast) = (hadSkipped, hadFailed)
      for case .output(let bytes) in events { report(.output(bytes)) }
    }
  }

  /// Keeps only tests that failed in the last run, with `--failed`; moves them to the front, with
  /// `--failed-first`.
  func preferFailed(in block: SpecElement) {
    guard options.runsOnlyFailed || options.runsFailedFirst, let file,
      options.lastFailed.files.contains(file)
    else { return }
    let hasFailed: (SpecElement) -> Bool = { [tests = options.lastFailed] element in
      tests.contains(element.fullName, isBlock: element.descriptor == "describe", in: file)
    }
    if options.runsOnlyFailed {
      block.children.removeAll { !$0.isHook && !hasFailed($0) }
    } else {
      block.children = block.children.filter(hasFailed) + block.children.filter { !hasFailed($0) }
    }
  }
}

extension SpecEvent {
  /// The problem of a failure or error event; nil for other events.
  fileprivate var failure: SpecProblem? {
    guard case .problem(_, let problem) = self, problem.status != .pending else { return nil }
    return problem
  }
}
