/// What a prompt shows beside the text that is being edited.
struct PromptState {
  /// Before the first line, and before each further one.
  var prompt = ""
  var continuation = ""
  /// The search of the history; nil when nothing is searched for.
  var search: Search?
  /// Words listed below, after a second Tab.
  var choices: [String] = []
  /// The row of the caret among those drawn, so that they can be drawn over.
  var caretRow = 0

  struct Search {
    var text = ""
    /// The entry found.
    var index: Int?
  }

  /// Neither searches nor lists any more.
  mutating func clear() {
    search = nil
    choices = []
  }
}
