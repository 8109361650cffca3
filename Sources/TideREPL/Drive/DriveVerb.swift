import TideBindings

/// A verb of `tidelock drive`.
package struct DriveVerb: Sendable {
  package let name: String
  /// The arguments' syntax, for the help.
  package let usage: String
  package let summary: String
  /// The number of arguments, without options.
  let count: ClosedRange<Int>
  /// The options that the verb takes, and whether each has a value.
  let options: [String: Bool]

  private init(
    _ name: String, _ usage: String, _ count: ClosedRange<Int>, _ summary: String,
    options: [String: Bool] = [:]
  ) {
    self.name = name
    self.usage = usage
    self.count = count
    self.summary = summary
    self.options = options
  }

  /// All verbs, in the order of the help.
  package static let all: [DriveVerb] = [
    DriveVerb("keys", "KEY…", 1...Int.max, "Presses keys: Tab, Ctrl-S, x."),
    DriveVerb("type", "[ID] TEXT", 1...2, "Types a text into the focused view, or into another."),
    DriveVerb("paste", "[ID] TEXT", 1...2, "Pastes a text."),
    DriveVerb("tap", "ID [MODIFIERS]", 1...2, "Clicks a view."),
    DriveVerb("doubleClick", "ID [MODIFIERS]", 1...2, "Clicks a view twice."),
    DriveVerb(
      "contextMenu", "ID [ITEM]", 1...2, "Opens a view's context menu, and chooses an item."),
    DriveVerb("drag", "ID TARGET, or ID COLUMNS ROWS", 2...3, "Drags a view."),
    DriveVerb("hover", "[ID]", 0...1, "Moves the mouse over a view, or away from all."),
    DriveVerb("select", "ID ROW [MODIFIERS]", 2...3, "Selects a row, an item or a tab, from 1."),
    DriveVerb("scroll", "ID ROWS [COLUMNS]", 2...3, "Turns the wheel over a view."),
    DriveVerb("focus", "ID", 1...1, "Moves the focus to a view."),
    DriveVerb("resize", "COLUMNS ROWS", 1...2, "Changes the size of an app without a terminal."),
    DriveVerb(
      "capture", "[ID]", 0...1, "The picture as it is.",
      options: ["--text": false, "--ansi": false, "--svg": true, "--png": true]),
    DriveVerb("tree", "[ID]", 0...1, "The views, with their ids, texts, states and rectangles."),
    DriveVerb("get", "PATH", 1...1, "The value of a property, or an object."),
    DriveVerb("set", "PATH VALUE", 2...2, "Sets a property to the value of a Lua expression."),
    DriveVerb("eval", "CODE", 1...1, "Runs Lua in the app, and gives the values."),
    DriveVerb("why", "PATH", 1...1, "The causes of a value."),
    DriveVerb("errors", "", 0...0, "The listed errors."),
    DriveVerb(
      "wait", "EXPRESSION", 1...1, "Waits until a Lua expression is true.",
      options: ["--timeout": true]),
    DriveVerb("assert", "EXPRESSION", 1...1, "Fails if a Lua expression is not true."),
    DriveVerb("settle", "", 0...0, "Waits until all changes have propagated."),
    DriveVerb("reload", "[MODULE]", 0...1, "Reloads the app, and gives the report."),
    DriveVerb("status", "", 0...0, "The app's name, files, memory, uptime and last reload."),
    DriveVerb("quit", "", 0...0, "Quits the app, as Ctrl-C does."),
  ]

  /// The names of specs for verbs with another name.
  private static let aliases = ["press": "keys", "wheel": "scroll", "snapshot": "capture"]

  private static let specOnlyVerbs: Set = ["mount", "session", "finish", "draw", "close", "value"]

  package static func isVerb(_ word: String) -> Bool {
    all.contains { $0.name == word } || aliases[word] != nil
  }

  /// - Throws: `driveUsage` with the nearest verb.
  static func find(_ word: String) throws(TideError) -> DriveVerb {
    let name = aliases[word] ?? word
    if let verb = all.first(where: { $0.name == name }) { return verb }
    if specOnlyVerbs.contains(word) {
      throw TideError(
        .driveUsage, "\(word) is available only in specs")
    }
    throw TideError(
      .driveUsage,
      "there is no verb \"\(word)\"\(NearestName.hintOrNames(for: word, in: all.map(\.name)))")
  }

  /// The options, for the help.
  package var optionHelp: String {
    options.isEmpty
      ? ""
      : options.sorted { $0.key < $1.key }.map { $0.value ? "\($0.key) VALUE" : $0.key }
        .joined(separator: ", ") + "."
  }

  /// Whether its arguments are any text.
  var takesText: Bool { ["keys", "type", "paste"].contains(name) }

  /// Whether it changes nothing in the app, and runs no Lua that it is given.
  package var isLooking: Bool {
    ["capture", "tree", "get", "why", "errors", "settle", "status"].contains(name)
  }

  package var heading: String { usage.isEmpty ? name : "\(name) \(usage)" }
}
