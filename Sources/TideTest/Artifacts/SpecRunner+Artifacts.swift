import TideLua
import TideScript

extension SpecRunner {
  /// Writes what the running test has seen, for its first problem. Attempts before the last leave
  /// nothing.
  func keepArtifacts(of problem: SpecProblem) {
    guard let recording = specs.recording, let test = running, test.artifacts.isEmpty,
      problem.status == .failure || problem.status == .error,
      test.failedAttempts.count >= options.retries || !isOpen
    else { return }
    // What a stopped test has changed was not drawn.
    if isOpen { specs.screen.drawChanges() }
    var errors = specs.listed.map { Diagnostic($0).text() }
    for session in specs.sessions {
      errors += session.errors.map { "\(session.name): \(Diagnostic($0).text())" }
    }
    do {
      test.artifacts = try recording.write(
        FailedTest(
          file: file ?? "", name: test.fullName, line: test.trace?.line, message: problem.message,
          errors: errors))
    } catch {
      report(.notice("what \(test.fullName) has seen is not kept: \(error.message)"))
    }
  }
}
