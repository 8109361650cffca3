package import TideBindings
import TideGraph

// A button beside rows has no record of its own. Its handler asks a controller for the selection,
// which others may have changed since the person saw it.
//
//     event, frame ──▶ SelectionHistory: the selection that this person saw
//                        it is current, or unused     the handler runs
//                        it is outdated, and used     refused, and rolled back
extension Scene {
  /// Records from now on who selects what, unless another medium of the app does so already.
  package func recordSelections() {
    let table = BindingTable.of(graph)
    if table.selectionHistory == nil { table.selectionHistory = SelectionHistory(of: graph) }
  }

  /// A terminal shows all changes so far. Returns the number of its frame, with which the input of
  /// its user is sent.
  package func noteShown() -> Int? {
    let frame = BindingTable.of(graph).selectionHistory?.noteShown()
    if let frame { noteSeenControl(in: frame) }
    return frame
  }

  /// Sends the input of the user of a terminal, unless it would apply to a record or a selection
  /// that the user has not seen. Returns false if no view handles it.
  ///
  /// - Parameter frame: the frame that the terminal showed when the input arrived; nil if unknown.
  @discardableResult
  package func send(_ event: InputEvent, seeing frame: Int?) -> Bool {
    var isTaken = false
    let notify = { [weak self] (refusal: PersonalAct.Refusal) in
      guard let self else { return }
      let language = BindingTable.of(graph).transformers.language
      tell(SelectionNotice.text(of: refusal) { language.translate($0) }, user)
    }
    if let frame, refusesUnseen(event, since: frame) { return true }
    perform(
      by: user, seeing: frame ?? .max, checksSelections: actsOnSelection(event), notify
    ) {
      isTaken = send(event)
    }
    if let frame { noteSeenControl(in: frame) }
    return isTaken
  }

  /// Whether the input may run a handler that asks for the selection on behalf of the user. Typed
  /// text names its record itself.
  private func actsOnSelection(_ event: InputEvent) -> Bool {
    switch event {
    case .key(Key(.tab)), .key(Key(.tab, modifiers: .shift)), .paste, .resize: return false
    case .key(let key):
      guard let field = focused as? TextInputView else { return true }
      return !key.isTyping && !field.takesEnter(key)
    case .mouse(let mouse):
      switch mouse.kind {
      case .press, .drag, .release: return true
      case .move, .scroll, .scrollSideways: return false
      }
    }
  }

  /// Carries out a person's act, unless it would apply to a selection that they have not seen.
  ///
  /// - Parameters:
  ///   - frame: the frame that the person saw; nil for one that is too old.
  ///   - notify: called if the act is refused.
  package func perform(
    by person: ScenePerson, seeing frame: Int?, checksSelections: Bool,
    _ notify: @escaping (PersonalAct.Refusal) -> Void, _ body: () -> Void
  ) {
    guard let history = BindingTable.of(graph).selectionHistory else { return body() }
    let act = history.makeAct(
      by: person, since: frame, checksSelections: checksSelections, notify)
    history.perform(act, body)
  }
}

/// What a person is told whose act was stopped, because it would have applied to a selection that
/// they have not seen.
///
/// A script translates these like its own texts, by `strings`: the English text is the key.
package enum SelectionNotice: String, CaseIterable {
  case undone = "Nothing was done: the selection has changed. Press again for:"
  case later = "The selection has changed, so the rest was not done. It is now:"
  case lasting = "This was done and cannot be taken back:"
  case typed = "Another record has come there. This is in no record:"

  /// The notice, with the title of the present selection.
  package static func text(
    of refusal: PersonalAct.Refusal, _ translate: (String) -> String
  ) -> String {
    let isPartial = refusal.hasKeptChanges || !refusal.lasting.isEmpty
    let notice = isPartial ? later : undone
    let text = "\(translate(notice.rawValue)) \(refusal.selected)"
    if refusal.lasting.isEmpty { return text }
    let effects = refusal.lasting.joined(separator: ", ")
    return text + ". \(translate(lasting.rawValue)) \(effects)"
  }
}
