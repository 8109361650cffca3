// Help texts for the keys of the built-in classes. Each class implements its keys in `handle`.
extension [KeyHelp] {
  static let pressing = [KeyHelp("Enter Space", "press it")]
  static let switching = [KeyHelp("Enter Space", "turn it over")]
  static let sliding = [
    KeyHelp("Left Right", "less, more"),
    KeyHelp("PageUp PageDown", "much more, much less"),
    KeyHelp("Home End", "the least, the most"),
  ]
  static let stepping = [
    KeyHelp("- +", "less, more; the arrows too"),
    KeyHelp("PageUp PageDown", "ten steps more, less"),
    KeyHelp("Home End", "the least, the most"),
  ]
  static let picking = [
    KeyHelp("Enter Space Down", "open the list"),
    KeyHelp("Left Right", "the one before, after"),
    KeyHelp("letters", "find by the beginning"),
  ]
  static let choosing = [
    KeyHelp("Up Down", "the one above, below"),
    KeyHelp("Home End", "the first, the last"),
    KeyHelp("letters", "find by the beginning"),
  ]
  static let opening = [KeyHelp("Enter Space Down", "open it")]

  private static let inText = [
    KeyHelp("Shift-arrows", "select"),
    KeyHelp("Ctrl-Left Ctrl-Right", "by words"),
    KeyHelp("Ctrl-A", "select all"),
    KeyHelp("Ctrl-C Ctrl-X Ctrl-V", "copy, cut, paste"),
    KeyHelp("Ctrl-Z Ctrl-Y", "undo, redo"),
    KeyHelp("Ctrl-W Ctrl-U Ctrl-K", "delete a word, to the start, to the end"),
  ]
  static let editingLine = [KeyHelp("Enter", "done")] + inText
  static let editingNumber =
    [
      KeyHelp("Up Down", "a step more, less"), KeyHelp("PageUp PageDown", "ten steps more, less"),
    ] + editingLine
  static let editingDate =
    [
      KeyHelp("Down", "open the calendar"), KeyHelp("arrows", "by days and weeks"),
      KeyHelp("PageUp PageDown", "by months, with Ctrl by years"),
      KeyHelp("Home End", "to the ends of the week, with Ctrl of the month"),
    ] + editingLine
  static let submitting = [KeyHelp("Enter", "submit the form", reachesInside: true)]
  static let editingText =
    [
      KeyHelp("Enter", "a new line"), KeyHelp("PageUp PageDown", "by what shows"),
      KeyHelp("Ctrl-Home Ctrl-End", "to the beginning, the end"),
    ] + inText

  static let inRows = [
    KeyHelp("Up Down", "the row above, below"),
    KeyHelp("PageUp PageDown", "by what shows"),
    KeyHelp("Home End", "the first, the last"),
    KeyHelp("letters", "find by the beginning"),
    KeyHelp("Ctrl-F", "find in all rows"),
    KeyHelp("Enter", "open the row"),
    KeyHelp("Delete", "delete it"),
    KeyHelp("Alt-Up Alt-Down", "move it up, down"),
  ]
  static let selectingMany = [
    KeyHelp("Shift-arrows", "extend the selection"),
    KeyHelp("Ctrl-arrows", "move without changing the selection"),
    KeyHelp("Space", "select or deselect the row"),
    KeyHelp("Ctrl-A", "select all"),
  ]
  static let inTable =
    inRows + [
      KeyHelp("Left Right", "to a heading"),
      KeyHelp("Space", "sort by the heading"),
      KeyHelp("< >", "make its column narrower, wider"),
    ]
  static let inTree =
    [
      KeyHelp("Right Left", "open, close"), KeyHelp("Space", "open or close"),
      KeyHelp("*", "open all below"),
    ] + inRows
  static let inCollection = [KeyHelp("Left Right", "the one beside")] + inRows

  static let scrolling = [
    KeyHelp("Up Down Left Right", "scroll", reachesInside: true),
    KeyHelp("PageUp PageDown", "by what shows", reachesInside: true),
    KeyHelp("Home End", "to the beginning, the end", reachesInside: true),
  ]
  static let changingTabs = [
    KeyHelp("Left Right", "the tab before, after"),
    KeyHelp("Ctrl-PageUp Ctrl-PageDown", "the tab before, after", reachesInside: true),
  ]
  static let splitting = [
    KeyHelp("Alt-arrows", "move the divider", reachesInside: true)
  ]
  static let closing = [KeyHelp("Escape", "close", reachesInside: true)]
}
