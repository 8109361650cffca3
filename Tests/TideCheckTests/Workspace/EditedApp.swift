import Fuzzing
import TideBindings
import TideScript
import TideTest

@testable import TideCheck

/// An app with random edits, renames and undos, compared with a check that sees each state for the
/// first time.
struct EditedApp {
  /// The texts that a step changes, by file; nil for the text on the disk.
  typealias Texts = [String: String?]

  /// A renaming, with the texts that an editor would write.
  struct Renaming: CustomStringConvertible {
    let name: String
    let file: String
    let offset: Int
    let texts: Texts
    /// Whether all mentions are known for certain.
    let isCertain: Bool

    var description: String { "renaming \(name) at \(offset) of \(file)" }
  }

  private let folder: String
  private let check: ScriptCheck
  private let workspace: EditedWorkspace
  private let files: [String]
  private let originals: [String: String]
  private let pool: [UInt8]
  private var edited: [String: String] = [:]
  private var former: [Texts] = []

  init(_ folder: String, _ check: ScriptCheck) throws {
    self.folder = folder
    self.check = check
    workspace = EditedWorkspace(check)
    files = try workspace.snapshot(of: [folder]).files
    var originals: [String: String] = [:]
    for file in files { originals[file] = try ScriptFile.read(file) }
    self.originals = originals
    pool = Array(originals.values.sorted().joined().utf8)
  }

  // MARK: Steps

  /// Edits, renames, undoes or closes something, and returns a description of the step.
  mutating func takeStep(using random: inout SeededGenerator) throws -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let file = files.randomElement(using: &random) ?? ""
      apply([file: nil])
      return "closing \(file)"
    case 1:
      undo()
      return "undoing"
    case 2, 3:
      guard let renaming = try renaming(using: &random) else { return "finding no name" }
      rename(renaming)
      return "\(renaming)"
    default:
      let file = files.randomElement(using: &random) ?? ""
      let text = TextEdits.random(of: Array(text(of: file).utf8), from: pool, using: &random)
      apply([file: String(decoding: text, as: UTF8.self)])
      return "an edit of \(file) to:\n\(self.text(of: file))"
    }
  }

  /// A renaming of the name at a random offset; nil if that cannot be renamed.
  func renaming(using random: inout SeededGenerator) throws -> Renaming? {
    let snapshot = try workspace.snapshot(of: [folder])
    guard let file = files.randomElement(using: &random),
      let analysis = snapshot.analysis(of: file),
      let offset = analysis.mentions.randomElement(using: &random)?.range.lowerBound,
      let found = analysis.renamableName(at: offset),
      analysis.objection(toRenaming: offset, Self.newName) == nil
    else { return nil }
    var ranges: [String: Set<Range<Int>>] = [:]
    for reference in analysis.references(at: offset) {
      ranges[reference.location.file, default: []].insert(reference.location.range)
    }
    var texts: Texts = [:]
    for (file, ranges) in ranges {
      var text = Array(self.text(of: file).utf8)
      for range in ranges.sorted(by: { $0.lowerBound > $1.lowerBound }) {
        text.replaceSubrange(range, with: Self.newName.utf8)
      }
      texts[file] = String(decoding: text, as: UTF8.self)
    }
    return Renaming(
      name: found.name, file: file, offset: offset, texts: texts,
      isCertain: analysis.uncertainReferences(at: offset) == 0)
  }

  private static let newName = "another_name"

  mutating func rename(_ renaming: Renaming) { apply(renaming.texts) }

  mutating func undo() {
    guard let texts = former.popLast() else { return }
    set(texts)
  }

  private mutating func apply(_ texts: Texts) {
    former.append(Texts(uniqueKeysWithValues: texts.keys.map { ($0, edited[$0]) }))
    set(texts)
  }

  private mutating func set(_ texts: Texts) {
    for (file, text) in texts {
      edited[file] = text
      workspace.edit(file, text)
    }
  }

  private func text(of file: String) -> String { edited[file] ?? originals[file] ?? "" }

  // MARK: Comparing

  /// How the workspace differs from a new check; nil if it does not.
  var fault: String? {
    get throws {
      let told = Self.told(try workspace.snapshot(of: [folder]).checkedFiles)
      let fresh = Self.told(try check.run([folder], edited: edited))
      return told == fresh ? nil : "\(told)\ninstead of \(fresh)"
    }
  }

  /// What the workspace answers about one script other than a new one; nil if both answer the same.
  func answerFault(using random: inout SeededGenerator) throws -> String? {
    guard let file = files.randomElement(using: &random) else { return nil }
    let fresh = EditedWorkspace(check)
    for (file, text) in edited { fresh.edit(file, text) }
    let snapshots = try [workspace, fresh].map { try $0.snapshot(of: [folder]) }
    let analyses = snapshots.map { $0.analysis(of: file) }
    guard let one = analyses[0], let other = analyses[1] else {
      return analyses.allSatisfy { $0 == nil } ? nil : "only one has a tree of \(file)"
    }
    for mention in other.mentions.shuffled(using: &random).prefix(40) {
      let offset = mention.range.lowerBound
      let answers = [one, other].map { analysis in
        let references = analysis.references(at: offset).map { "\($0.location)" }.sorted()
        return """
          \(analysis.hover(at: offset)?.text ?? "no hover")
          \(analysis.definitions(at: offset))
          \(references.joined(separator: "\n"))
          \(analysis.completions(at: offset).candidates.map(\.name))
          """
      }
      if answers[0] != answers[1] {
        return "\(file) at \(offset): \(answers[0])\ninstead of \(answers[1])"
      }
    }
    return nil
  }

  private static func told(_ files: [ScriptCheck.File]) -> [String] {
    files.flatMap { file in
      ["\(file.path):"] + file.problems.map { "\($0.severity) \($0.error) \($0.error.message)" }
    }
  }

  /// The kinds of problems and their lines.
  var problemPlaces: [String] {
    get throws {
      try workspace.snapshot(of: [folder]).checkedFiles.flatMap { file in
        file.problems.map { problem in
          "\(file.path):\(problem.error.location?.line ?? 0): \(problem.error.code)"
        }
      }
    }
  }

  var isUnchanged: Bool {
    get throws { files.allSatisfy { text(of: $0) == originals[$0] } }
  }
}
