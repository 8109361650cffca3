import TideBindings
import TideCheck
import TideScript
import TideSystem

/// `tidelock check --fix`: applies the fixes that need no review.
///
/// A fix may reveal another mistake, so the check is repeated until nothing is left to fix.
struct CheckFixes {
  private let workspace: EditedWorkspace
  private let paths: [String]
  private let output = StandardOutput()
  private let isQuiet: Bool
  /// Files with fixes that cannot be written, and the errors.
  private(set) var refusals: [PathKey: TideError] = [:]

  /// - Parameter isQuiet: whether to suppress the report of each fix.
  init(_ paths: [String], _ check: ScriptCheck, isQuiet: Bool) {
    workspace = EditedWorkspace(check)
    self.paths = paths
    self.isQuiet = isQuiet
  }

  private static let roundLimit = 20

  /// Applies all fixes, and returns the remaining problems.
  mutating func run() throws -> [ScriptCheck.File] {
    for _ in 0..<Self.roundLimit {
      let snapshot = try workspace.snapshot(of: paths)
      var hasFixed = false
      for file in snapshot.files {
        if try fix(file, in: snapshot) { hasFixed = true }
      }
      guard hasFixed else { return snapshot.checkedFiles }
      workspace.filesChanged()
    }
    return try workspace.snapshot(of: paths).checkedFiles
  }

  /// Applies the safe fixes of one file. Returns false if there are none.
  private mutating func fix(_ file: String, in snapshot: WorkspaceSnapshot) throws -> Bool {
    let problems = snapshot.problems(in: file)
    if problems.isEmpty { return false }
    let writer = FolderWriter(folder: ".")
    // A symbolic link is preserved; its target is written.
    let target = SystemPath.real(file) ?? file
    guard refusals[path: file] == nil, let contents = writer.bytes(of: target) else { return false }
    let mark = contents.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    let text = Array(contents.dropFirst(mark))
    let lines = ScriptLines(text)
    let sure = problems.compactMap { $0.fix(in: lines) }.filter(\.isSure)
    let fixes = ProblemFix.apart(sure)
    if fixes.isEmpty { return false }
    var fixed: [UInt8] = []
    var end = 0
    for fix in fixes {
      fixed += text[end..<fix.range.lowerBound] + Array(fix.replacement.utf8)
      end = fix.range.upperBound
    }
    fixed += text[end...]
    guard try isReadable(fixed, as: file, in: snapshot) else { return false }
    // The file may have been saved meanwhile; the next round checks it again.
    guard writer.bytes(of: target) == contents else { return true }
    do throws(TideError) {
      // Replacing a write-protected file would be possible, but is surely not intended.
      if access(target, W_OK) != 0 { throw writer.failure("write", target) }
      try writer.replace(Array(contents.prefix(mark)) + fixed, target)
    } catch {
      var refusal = error
      refusal.message +=
        fixes.count == 1 ? "; its fix is left" : "; its \(fixes.count) fixes are left"
      refusals[path: file] = refusal
      return false
    }
    if !isQuiet { for fix in fixes { tell(fix, lines, in: file) } }
    return true
  }

  /// Whether a text has no syntax error, or the file already had one.
  private func isReadable(
    _ text: [UInt8], as file: String, in snapshot: WorkspaceSnapshot
  ) throws -> Bool {
    let script = String(decoding: text, as: UTF8.self)
    workspace.edit(file, script.hasPrefix("#") ? "--" + script : script)
    defer { workspace.edit(file, nil) }
    let isWellFormed = try workspace.snapshot(of: paths).isWellFormed(file)
    return isWellFormed || !snapshot.isWellFormed(file)
  }

  private func tell(_ fix: ProblemFix, _ lines: ScriptLines, in file: String) {
    let (line, column) = lines.location(of: fix.range.lowerBound)
    let title = fix.title.prefix(1).lowercased() + fix.title.dropFirst()
    output.writeLine("\(file):\(line):\(column): fixed: \(title)".escapingControls)
  }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
