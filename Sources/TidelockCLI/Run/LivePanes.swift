import TideBindings
import TideReload
import TideScript
import TideTerminal
import TideViews

/// What covers the app in the terminal: the keys, else an error that waits for a good save; and the
/// status line, which tells of the last reload and of what went wrong since.
final class LivePanes {
  private let terminal: TerminalRenderer
  private let file: String
  /// Whether there is a status line: while saves are watched for.
  private let isDeveloping: Bool
  private var lastReport: ReloadReport?
  private var listed = 0
  private var lastError: String?

  init(_ terminal: TerminalRenderer, file: String, isDeveloping: Bool) {
    self.terminal = terminal
    self.file = file
    self.isDeveloping = isDeveloping
    updateStatus()
  }

  private var error: [String]? {
    didSet { update() }
  }
  var isHelpShown = false {
    didSet { if isHelpShown != oldValue { update() } }
  }
  /// The keys that the app's views listen to.
  var appKeys: () -> [Key] = { [] }

  /// The script could not be run at all.
  func fail(_ failure: TideError) {
    error = Diagnostic(failure, in: file).lines()
    list(failure)
  }

  /// Something was listed while the app runs.
  func list(_ error: TideError) {
    listed += 1
    lastError = Diagnostic(error, in: file).lines().first
    updateStatus()
  }

  func show(_ report: ReloadReport) {
    lastReport = report
    error = report.error.map { Diagnostic($0, in: file).lines() }
    if report.error == nil {
      listed = 0
      lastError = nil
    }
    updateStatus()
  }

  // MARK: Showing

  private func update() {
    terminal.overlay = isHelpShown ? help : error.map { $0 + ["", Self.hint] }
  }

  private func updateStatus() {
    if isDeveloping { terminal.status = status }
  }

  private var status: StatusLine {
    let keys = "F12 log  ? keys"
    if let lastReport, lastReport.error != nil {
      return StatusLine(lastReport.line, kind: .bad, hint: keys)
    }
    if let lastError {
      let count = listed == 1 ? "1 error" : "\(listed) errors"
      return StatusLine("\(count): \(lastError)", kind: .bad, hint: keys)
    }
    guard let lastReport else { return StatusLine(file, hint: keys) }
    return StatusLine(lastReport.line, kind: .good, hint: keys)
  }

  private var help: [String] {
    var names: [String] = []
    for key in appKeys() where !names.contains(key.description) { names.append(key.description) }
    names.sort { ($0.count, $0) < ($1.count, $1) }
    if names.isEmpty { return Self.keys }
    return ["This app listens to", "  " + names.joined(separator: "  "), ""] + Self.keys
  }

  private static let hint = "The next good save takes this away."

  private static let keys = [
    "Tab, Shift-Tab   the next, the previous view",
    "r                reload the app",
    "R                start it anew, without its state",
    "F12              show or hide the log",
    "?                show or hide these keys",
    "Ctrl-L           draw everything again",
    "Ctrl-Z           suspend",
    "Ctrl-C           quit",
  ]
}
