import TideSystem

/// The texts that a page shows by itself, in the language of its app.
///
/// A script translates them as its own, by `strings`: the English text is the key.
///
/// ```lua
/// strings { de = { ["Connecting again…"] = "Die Verbindung wird wieder gesucht …" } }
/// ```
enum PageWords: String, CaseIterable {
  case lost = "Connecting again…"
  case hide = "Hide"
  case refused =
    "The app does not take that; a text has some %d characters at most. What was there stays."
  /// Printed in place of a table whose rows are not all in the page.
  case print = "The whole table is printed when this dialog is closed."
  /// The heading of a column that has no title.
  case name = "Column"
  case unshown = "This page cannot show what the app has sent. It tries again."

  /// By the names of the cases, for pages.
  ///
  /// - Parameter translate: gives a text in the app's language, with the number in place of %d.
  static func wireMembers(
    _ translate: (String, Int) -> String
  ) -> [(name: String, json: String)] {
    allCases.map { ("\($0)", translate($0.rawValue, PageLimits.message).quotedForJSON) }
  }
}
