import TideCheck
import TideScript
import TideTest

/// The results of a check in JUnit's XML, for continuous integration.
///
/// Each file is a suite, and each problem a failed test case; a file without problems is one passed
/// case. A case could have several failures, but Jenkins, Azure and others show only the first one.
struct JUnitProblems {
  let files: [ScriptCheck.File]

  var text: String {
    var all = XMLElement(
      "testsuites", [("name", "tidelock check")] + counts(of: files.map(\.problems.count)))
    for file in files { all.add(suite(of: file)) }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + all.text(.plain)
  }

  private func suite(of file: ScriptCheck.File) -> XMLElement {
    var suite = XMLElement(
      "testsuite", [("name", file.path)] + counts(of: [file.problems.count]))
    if file.problems.isEmpty {
      suite.add(
        XMLElement(
          "testcase", [("classname", file.path), ("name", "check"), ("file", file.path)]))
    }
    for problem in file.problems { suite.add(test(of: problem.diagnostic, in: file.path)) }
    return suite
  }

  private func test(of diagnostic: Diagnostic, in path: String) -> XMLElement {
    let (line, column) = (diagnostic.line ?? 1, diagnostic.column ?? 1)
    var test = XMLElement(
      "testcase",
      [
        ("classname", path), ("name", "\(line):\(column) \(diagnostic.message)"), ("file", path),
        ("line", "\(line)"),
      ])
    var failure = XMLElement(
      "failure", [("type", diagnostic.label), ("message", diagnostic.message)])
    failure.add(diagnostic.text())
    test.add(failure)
    return test
  }

  /// The counts for files with the given numbers of problems.
  private func counts(of problems: [Int]) -> [(name: String, value: String)] {
    [
      ("tests", "\(problems.reduce(0) { $0 + max(1, $1) })"),
      ("failures", "\(problems.reduce(0, +))"), ("errors", "0"),
    ]
  }
}
