import TideGraph

extension Scene {
  /// Shorter runs of keys are handled one by one, because handlers may move the focus after each
  /// key, as in a form with a field for each digit.
  private static let shortestRun = 32
  /// The maximum number of keys in one edit.
  private static let longestRun = 1 << 16

  /// Types many waiting keys as one edit, if each key would only be inserted into the focused text.
  /// Returns the number of keys processed.
  ///
  /// An edit takes time proportional to its text, so a long text that arrives key by key would take
  /// quadratic time.
  ///
  /// - Parameter frame: the frame that a terminal showed when the first key arrived; nil if unknown.
  package func type(_ waiting: some Sequence<Key>, seeing frame: Int? = nil) -> Int {
    guard let field = target as? TextInputView, field.takesRuns, field.isUsable,
      frame.map({ !input.seen.hasChanged(field, since: $0) }) ?? true,
      field.keyHandlers.isEmpty, input.openMenu == nil, inspection.picker == nil
    else { return 0 }
    var text = ""
    var count = 0
    for key in waiting {
      guard count < Self.longestRun, let character = field.character(typedBy: key) else { break }
      text.append(character)
      count += 1
    }
    if count < Self.shortestRun { return 0 }
    noteTyping(true)
    let gesture = input.gesture(ofActionOn: field, by: person ?? user)
    withinBudget {
      perform(PersonInput(gesture: gesture, isTyping: true)) {
        _ = handlingInput {
          asAct("typing into \(field.actedName)") {
            markUsedCells(around: field)
            field.type(text)
          }
          return true
        }
      }
    }
    return count
  }
}

extension TextInputView {
  /// Whether typed characters are inserted without other effects.
  fileprivate var takesRuns: Bool {
    let isPlain = Swift.type(of: self) == FieldView.self || self is TextAreaView
    return isPlain && isEditing && flag(.editable)
  }

  fileprivate func character(typedBy key: Key) -> Character? {
    key == Key(.enter) && self is TextAreaView ? "\n" : key.text
  }

  fileprivate func type(_ text: String) {
    followText()
    (self as? TextAreaView)?.goal = nil
    edit(entering: text) { $0.insert(text, limit: limit, isTyped: true) }
  }
}
