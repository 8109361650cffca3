import TideSystem

/// The texts that a page shows itself, in the language of its app.
///
/// A script translates them like its own texts, by `strings`: the English text is the key.
///
/// ```lua
/// strings { de = { ["Connecting again…"] = "Die Verbindung wird wieder gesucht …" } }
/// ```
enum PageWords: String, CaseIterable {
  case lost = "Connecting again…"
  case hide = "Hide"
  /// Introduces acts that perhaps no run of the app has carried out.
  case undone = "The app has begun anew, and may not have done this:"
  case refused =
    "The app does not take that; a text has some %d characters at most. What was there stays."
  /// Introduces what was typed after a command, and not written because of a press elsewhere.
  case dropped = "You pressed elsewhere before the app had answered. This is in no record:"
  /// Printed in place of a table if the page has only some of its rows.
  case print = "The whole table is printed when this dialog is closed."
  /// The heading of a column that has no title.
  case name = "Column"
  case unshown = "This page cannot show what the app has sent. It tries again."

  /// The texts for pages, by the names of the cases.
  ///
  /// - Parameter translate: translates a text into the app's language, with a number in place of
  ///   %d.
  static func wireMembers(
    _ translate: (String, Int) -> String
  ) -> [(name: String, json: String)] {
    allCases.map { ("\($0)", translate($0.rawValue, PageLimits.message).quotedForJSON) }
      + [("gone", translate(PageNotice.gone.rawValue, 0).quotedForJSON)]
  }
}

/// Why an act was not carried out, or only in part, as its page shows it.
///
/// A script translates these like its own texts, by `strings`: the English text is the key.
enum PageNotice: String, CaseIterable {
  case gone = "What it was typed for is not there any more. This is in no record:"
  case old = "The app has gone on too far for what was typed here. This is in no record:"
  case notTaken = "Nothing can be typed there now. This is in no record:"
  case tooLong = "A text has some %d characters at most. This is in no record:"
  case refused = "This was refused and is in no record:"
  case anew = "The app has begun anew, without what you have typed last:"
  case unkept = "The app has begun anew: what it did not keep in a database is gone."
  case answered = "Viewer %d has answered:"
  case answeredElsewhere = "Somebody at the terminal has answered:"
  case left = "The connection was lost before everything was done that you had asked for."
  case behind = "This page is still receiving what it was sent, and got no rows. Try again later."
  case fewRows = "These are the first %d rows only."
  case other = "Something else is there by now, so that nothing was done."
}
