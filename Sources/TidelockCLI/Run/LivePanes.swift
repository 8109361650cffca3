import TideTerminal

/// What covers the app in the terminal: the keys, else an error that waits for a good save.
final class LivePanes {
  private let terminal: TerminalRenderer

  init(_ terminal: TerminalRenderer) { self.terminal = terminal }

  var error: [String]? {
    didSet { update() }
  }
  var isHelpShown = false {
    didSet { if isHelpShown != oldValue { update() } }
  }

  private func update() {
    terminal.overlay = isHelpShown ? Self.help : error.map { $0 + ["", Self.hint] }
  }

  private static let hint = "The next good save takes this away."

  private static let help = [
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
