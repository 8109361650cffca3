import FoundationEssentials
import TideBindings
import TideCheck
import TideScript
import TideStore
import TideTest
import Testing

/// Plants mistakes as people make them, one at a time, in apps of several modules.
///
/// `PlantedMistakes/mistakes.txt` lists them. `TIDELOCK_PLANTED=1` prints how many of each kind are
/// found, and which are not.
@Suite struct `Mistakes planted in apps of several modules` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "PlantedMistakes").path
  private static let apps = ["tracker", "library", "kitchen", "monitor"]

  @Test func `the apps without them have no problems`() throws {
    let check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL())
    for app in Self.apps {
      for file in try check.run(["\(Self.folder)/\(app)"]) {
        #expect(file.problems.isEmpty, "\(file.problems.map { $0.diagnostic.text() })")
      }
    }
  }

  @Test func `at least 95 in 100 are found where they are, with the nearest name`() throws {
    let check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL())
    let mistakes = try Self.mistakes()
    #expect(mistakes.count >= 300)
    var planted: [String: Int] = [:]
    var found: [String: Int] = [:]
    var missed: [String] = []
    for mistake in mistakes {
      planted[mistake.kind, default: 0] += 1
      let problems = try check.run(
        ["\(Self.folder)/\(mistake.app)"], edited: [mistake.path: mistake.text]
      ).flatMap(\.problems)
      if problems.contains(where: mistake.isTold) {
        found[mistake.kind, default: 0] += 1
        // Consequences may be reported as well, such as the names that a missing module declares.
        #expect(problems.count <= 16, "\(mistake): \(problems.map(\.error.message))")
      } else {
        let others = problems.map { Self.line($0) }
        missed.append("\(mistake): \(others.isEmpty ? "nothing" : others.joined(separator: "; "))")
      }
    }
    if ProcessInfo.processInfo.environment["TIDELOCK_PLANTED"] != nil {
      for kind in planted.keys.sorted() {
        print("\(kind): \(found[kind] ?? 0) of \(planted[kind] ?? 0)")
      }
      for mistake in missed { print("missed: \(mistake)") }
      print("found: \(mistakes.count - missed.count) of \(mistakes.count)")
    }
    #expect(
      missed.count * 20 <= mistakes.count,
      "\(missed.count) of \(mistakes.count): \(missed.joined(separator: "\n"))")
  }

  private static func line(_ problem: Problem) -> String {
    let location = problem.error.location
    return "\(location?.line ?? 0):\(location?.column ?? 0) \(problem.error.code): "
      + problem.error.message
  }

  // MARK: The list

  /// One line of the list: a text in a file, its replacement, and the expected problem.
  private struct Mistake: CustomStringConvertible {
    let kind: String
    let app: String
    /// The file that is changed, and its changed text.
    let path: String
    let text: String
    let code: String
    let says: String
    /// The file in which the mistake is reported, and its location.
    let told: (path: String, line: Int, column: Int)
    let description: String

    func isTold(by problem: Problem) -> Bool {
      let location = problem.error.location
      return location?.file == told.path && location?.line == told.line
        && location?.column == told.column && problem.error.code.name == code
        && problem.error.message.contains(says)
    }
  }

  private static func mistakes() throws -> [Mistake] {
    var texts: [String: String] = [:]
    func text(_ file: String) throws -> String {
      if let known = texts[file] { return known }
      let read = try String(contentsOf: URL(filePath: "\(folder)/\(file)"), encoding: .utf8)
      texts[file] = read
      return read
    }
    return try text("mistakes.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      line in
      let fields = line.split(separator: "¦", omittingEmptySubsequences: false).map(field)
      try #require(fields.count == 6 || fields.count == 7, "\(line)")
      let file = fields[1]
      let original = try text(file)
      let parts = original.components(separatedBy: fields[2])
      try #require(parts.count == 2, "\(fields[2]) stands \(parts.count - 1) times in \(file)")
      let marked = fields[3].components(separatedBy: "^^")
      let changed = parts[0] + marked.joined() + parts[1]
      var told = (file: file, before: parts[0] + (marked.count > 1 ? marked[0] : ""))
      if fields.count == 7 {
        let place = fields[6].components(separatedBy: ".lua:")
        if place.count > 1 { told.file = place[0] + ".lua" }
        let other = told.file == file ? changed : try text(told.file)
        let around = other.components(separatedBy: place.last ?? "")
        try #require(around.count == 2, "\(fields[6]) stands \(around.count - 1) times")
        told.before = around[0]
      }
      let lines = told.before.split(separator: "\n", omittingEmptySubsequences: false)
      return Mistake(
        kind: fields[0], app: String(file.prefix { $0 != "/" }), path: "\(folder)/\(file)",
        text: changed, code: fields[4], says: fields[5],
        told: (
          "\(folder)/\(told.file)", lines.count, (lines.last?.utf8.count ?? 0) + 1
        ),
        description: "\(file): \(fields[3])")
    }
  }

  /// A field of a line, without blanks around it; `\n` in it stands for a line end.
  private static func field(_ text: Substring) -> String {
    var text = text
    if text.hasPrefix(" ") { text.removeFirst() }
    if text.hasSuffix(" ") { text.removeLast() }
    return text.components(separatedBy: "\\n").joined(separator: "\n")
  }
}
