import TideBindings
import TideCheck
import TideScript
import TideSystem

/// `tidelock check --fix`: writes the mends that nobody needs to look at into the scripts.
///
/// One mend may bring another mistake to light, so it checks again until there is nothing left to do.
struct CheckFixes {
  private let workspace: EditedWorkspace
  private let paths: [String]
  private let output = StandardOutput()
  private let isQuiet: Bool
  private(set) var count = 0

  /// - Parameter isQuiet: whether what is mended is not told line by line.
  init(_ paths: [String], _ check: ScriptCheck, isQuiet: Bool) {
    workspace = EditedWorkspace(check)
    self.paths = paths
    self.isQuiet = isQuiet
  }

  private static let roundLimit = 20

  /// Mends what can be mended, and gives what is left.
  mutating func run() throws -> [ScriptCheck.File] {
    for _ in 0..<Self.roundLimit {
      let snapshot = try workspace.snapshot(of: paths)
      var hasMended = false
      for file in snapshot.files {
        let problems = snapshot.problems(in: file)
        if !problems.isEmpty, try mend(problems, in: file) { hasMended = true }
      }
      guard hasMended else { return snapshot.checkedFiles }
      workspace.filesChanged()
    }
    return try workspace.snapshot(of: paths).checkedFiles
  }

  /// Writes the sure mends of one file; false where there is none.
  private mutating func mend(_ problems: [Problem], in file: String) throws -> Bool {
    let writer = FolderWriter(folder: ".")
    // A link's file is written, and the link stays.
    let target = SystemPath.real(file) ?? file
    guard let contents = writer.bytes(of: target) else { return false }
    // As the checker reads it: a mark at the beginning is none of the script's.
    let mark = contents.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    let text = Array(contents.dropFirst(mark))
    var fixes: [(fix: ProblemFix, problem: Problem)] = []
    for problem in problems {
      guard let fix = problem.fix(in: text), fix.isSure else { continue }
      fixes.append((fix, problem))
    }
    fixes.sort { $0.fix.range.lowerBound < $1.fix.range.lowerBound }
    var mended: [UInt8] = []
    var end = 0
    var last: ProblemFix?
    for (fix, problem) in fixes where fix.range.lowerBound >= end && fix != last {
      mended += text[end..<fix.range.lowerBound] + Array(fix.replacement.utf8)
      end = fix.range.upperBound
      last = fix
      count += 1
      if !isQuiet { tell(fix, problem, in: file) }
    }
    guard last != nil else { return false }
    mended += text[end...]
    try writer.replace(Array(contents.prefix(mark)) + mended, target)
    return true
  }

  private func tell(_ fix: ProblemFix, _ problem: Problem, in file: String) {
    let location = problem.error.location
    let title = fix.title.prefix(1).lowercased() + fix.title.dropFirst()
    output.writeLine(
      "\(file):\(location?.line ?? 1):\(location?.column ?? 1): mended: \(title)")
  }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
