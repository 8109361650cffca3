import TideBindings
import TideReload
import TideScript
import TideTerminal
import TideViews

/// The panes over the app in the terminal: the key help, or the error of a failed reload; and the
/// status line, with the last reload and later errors.
final class LivePanes {
  private let terminal: TerminalRenderer
  private let file: String
  /// Whether there is a status line: while files are watched.
  private let isDeveloping: Bool
  private var lastReport: ReloadReport?
  /// The current errors, without those that were fixed.
  var errors: () -> [TideError] = { [] }
  /// The error that prevented the script from running at all.
  private var failure: TideError?
  private var isStale = false
  /// Dismissed errors, which the status line no longer shows.
  private var dismissed: Set<String> = []

  /// Whether errors are added to the log, because standard error is not the terminal.
  private let logsErrors: Bool

  init(_ terminal: TerminalRenderer, file: String, isDeveloping: Bool, logsErrors: Bool) {
    self.logsErrors = logsErrors
    self.terminal = terminal
    self.file = file
    self.isDeveloping = isDeveloping
    terminal.besideOverlay = { [weak self] in
      guard let self, helpPage == nil else { return nil }
      return scene()?.askingRect
    }
    updateStatus()
  }

  private var error: [String]? {
    didSet { update() }
  }
  /// The visible page of the help, from 0; nil if hidden.
  private var helpPage: Int? {
    didSet { if helpPage != oldValue { update() } }
  }
  /// The shown scene, for the help on its keys.
  var scene: () -> Scene? = { nil }

  /// Shows the help, then its further pages, then hides it.
  func turnHelp() {
    let next = helpPage.map { $0 + 1 } ?? 0
    helpPage = next < helpPages.count ? next : nil
  }

  func closeHelp() { helpPage = nil }

  /// Closes the topmost pane: the help, or the error of a reload, or the errors in the status line.
  func closeTopmost() {
    if helpPage != nil {
      helpPage = nil
    } else if error != nil {
      error = nil
    } else {
      dismissed = Set(errors().map(\.identity))
      updateStatus()
    }
  }

  /// Shows the error that prevented the script from running.
  func fail(_ failure: TideError) {
    error = Diagnostic(failure, in: file).lines()
    self.failure = failure
    updateStatus()
  }

  /// Marks the errors as changed. The status line is updated once per frame, because there may be a
  /// thousand changes.
  func errorsChanged() { isStale = true }

  /// Records a listed error; it is shown again even if it was dismissed.
  func note(_ error: TideError) {
    if !dismissed.isEmpty { dismissed.remove(error.identity) }
    if logsErrors { terminal.logForNow(Diagnostic(error, in: file).text()) }
    errorsChanged()
  }

  /// Updates the status line.
  func catchUp() {
    if isStale { updateStatus() }
    isAsking = scene()?.isAsking == true
  }

  /// Whether a dialog takes the keys, Escape as well. The error of a save then shows beside it.
  private var isAsking = false {
    didSet { if isAsking != oldValue { update() } }
  }

  func show(_ report: ReloadReport) {
    lastReport = report
    error = report.error.map { Diagnostic($0, in: file).lines() }
    if report.error == nil { failure = nil }
    updateStatus()
  }

  /// The unresolved errors: that of the saved version, if it does not run, and those that the app
  /// lists.
  var remainingErrors: [TideError] {
    [lastReport.map(\.error) ?? failure].compactMap { $0 } + errors()
  }

  /// Whether the app was asked to end and a handler is delaying it.
  var isQuitting = false {
    didSet { if isQuitting != oldValue { updateStatus() } }
  }

  /// Whether a reload waits for the answer to an open question.
  var isWaiting = false {
    didSet { if isWaiting != oldValue { updateStatus() } }
  }

  /// The status line for a waiting reload.
  static let waiting = "saved; it reloads when the question is answered"

  /// A notice for the user, shown instead of the status; nil for none.
  var notice: String? {
    didSet { if notice != oldValue { updateStatus() } }
  }

  // MARK: Showing

  private func update() {
    let pages = helpPage == nil ? [] : helpPages
    if let helpPage, let last = pages.indices.last {
      terminal.overlay = pages[min(helpPage, last)]
      return
    }
    terminal.overlay = error.map { $0 + ["", isAsking ? Self.hintBesideDialog : Self.hint] }
  }

  private func updateStatus() {
    isStale = false
    if isQuitting {
      terminal.status = StatusLine("waiting for the app to end", hint: "Ctrl-C ends it now")
    } else if let notice {
      terminal.status = StatusLine(notice, kind: .bad, hint: "F12 log")
    } else {
      terminal.status = isDeveloping ? status : nil
    }
  }

  private var status: StatusLine {
    let keys = "F12 log  ? keys"
    if isWaiting {
      return StatusLine(Self.waiting, kind: .waiting, hint: "F12 log  r in it reloads now")
    }
    if let lastReport, lastReport.error != nil {
      return StatusLine(lastReport.line, kind: .bad, hint: keys)
    }
    let errors =
      (failure.map { [$0] } ?? []) + errors().filter { !dismissed.contains($0.identity) }
    if let last = errors.last {
      let count = errors.count == 1 ? "1 error" : "\(errors.count) errors"
      return StatusLine(
        "\(count): \(Self.line(of: Diagnostic(last, in: file)))", kind: .bad, hint: keys)
    }
    guard let lastReport else { return StatusLine(file, hint: keys) }
    return StatusLine(lastReport.line, kind: .good, hint: keys)
  }

  /// The location without folders, and the message, because there is little room.
  private static func line(of diagnostic: Diagnostic) -> String {
    let name = diagnostic.file.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    let location = [name, diagnostic.line.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
    return location.isEmpty ? diagnostic.message : "\(location): \(diagnostic.message)"
  }

  private var helpPages: [[String]] {
    let scene = scene()
    var sections = scene?.keyHelp ?? []
    let explained = Set(sections.flatMap(\.lines).map(\.keys))
    var names: [String] = []
    for key in scene?.keys ?? [] where !explained.contains(key.description) {
      if !names.contains(key.description) { names.append(key.description) }
    }
    names.sort { ($0.count, $0) < ($1.count, $1) }
    if !names.isEmpty {
      sections.append(
        KeyHelp.Section("", [KeyHelp("this app", names.joined(separator: ", "))]))
    }
    sections.append(KeyHelp.Section("", Self.keys(isDeveloping: isDeveloping)))
    return HelpPages(sections, room: terminal.overlayRoom).pages
  }

  private static let hintBesideDialog = "The next good save takes this away."
  private static let hint = "The next good save takes this away; Escape hides it until then."

  private static func keys(isDeveloping: Bool) -> [KeyHelp] {
    let log =
      isDeveloping
      ? "show or hide the log; in it, r reloads, R starts anew" : "show or hide the log"
    return [
      KeyHelp("Tab Shift-Tab", "the next, the previous view"),
      KeyHelp("F12", log),
      KeyHelp("Escape", "hide these keys, the error of a save, or errors below"),
      KeyHelp("?", "show or hide these keys"),
      KeyHelp("Ctrl-L", "draw everything again"),
      KeyHelp("Ctrl-Z", "suspend; in a text, undo"),
      KeyHelp("Ctrl-C", "quit"),
    ]
  }
}
