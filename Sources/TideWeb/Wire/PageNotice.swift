/// Why an act was not carried out, or not where it was made, as its page tells.
///
/// A script translates these as its own texts, by `strings`: the English text is the key.
enum PageNotice: String, CaseIterable {
  case gone = "What it was typed for is not there any more. This is in no record:"
  case old = "The app has gone on too far for what was typed here. This is in no record:"
  case notTaken = "Nothing can be typed there now. This is in no record:"
  case answered = "Viewer %d has answered:"
  case answeredElsewhere = "Somebody at the terminal has answered:"
  case left = "The connection was lost before everything was done that you had asked for."
  case behind = "This page is still receiving what it was sent, and got no rows. Try again later."
  case fewRows = "These are the first %d rows only."
  case other = "Something else is there by now, so that nothing was done."
  case selection = "Nothing was done: the selection has changed. Press again for:"
  case selectionLater = "The selection has changed, so the rest was not done. It is now:"
  case lasting = "This was done and cannot be taken back:"
}
