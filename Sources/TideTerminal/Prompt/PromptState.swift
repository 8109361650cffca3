/// The state of a prompt apart from the edited text.
struct PromptState {
  /// The texts before the first line and before each further line.
  var prompt = ""
  var continuation = ""
  /// The current search of the history; nil if there is none.
  var search: Search?
  /// The completions listed below the prompt, after a second Tab.
  var choices: [String] = []
  /// The row of the caret among the drawn rows, needed to overwrite them.
  var caretRow = 0

  struct Search {
    var text = ""
    /// The index of the entry found.
    var index: Int?
  }

  /// Ends the search and hides the completions.
  mutating func clear() {
    search = nil
    choices = []
  }
}
