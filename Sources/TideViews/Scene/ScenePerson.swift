/// One of several people who share a scene, for example in pages. A dialog that opens during a
/// person's action is shown to that person only.
package final class ScenePerson {
  package let number: Int
  /// The view that has this person's focus, while another person's focus is the scene's.
  package weak var focus: View?
  /// The last typing of this person; nil if they have done something else since.
  var lastTyping: Typing?

  /// The time of the last typing, in seconds of the app's clock, and the modal dialog it was in, if
  /// any.
  struct Typing {
    let moment: Double
    private(set) weak var dialog: View?
  }

  /// Identifies the same person on several pages, such as by a browser or a name; nil if unknown.
  package var owner: String?

  /// The person who replaces one who has left, for example after a page was reloaded.
  package var heir: ScenePerson?

  package init(_ number: Int) { self.number = number }

  /// The person who now stands in for this one, or this person.
  package var present: ScenePerson {
    var last = self
    while let next = last.heir { last = next }
    // Shortens the chain, because an object may refer to a former person for a long time.
    if heir != nil { heir = last }
    return last
  }

  /// Whether both are the same person: on one page, or on two pages of one owner.
  package func isSame(as other: ScenePerson) -> Bool {
    let (one, other) = (present, other.present)
    return one === other || one.owner != nil && one.owner == other.owner
  }
}

extension Scene {
  /// The person who has the scene's focus. It is nil in a terminal, and where people are not
  /// distinguished.
  package var person: ScenePerson? {
    get { floats.person }
    set { floats.person = newValue }
  }

  /// The person whose action is being handled, also after a wait; nil for the program itself.
  package var actor: ScenePerson? { input.actor.map(\.present) }

  /// Shows a message that is not part of the view tree to a person.
  package func tell(_ text: String, _ person: ScenePerson) {
    if person !== user, let tell = host.tell { return tell(text, person) }
    cycle.pendingNotices.append(text)
  }

  /// Runs a function as the action of a person; nil stands for the program itself.
  package func acting<Result>(
    as actor: ScenePerson?, _ body: () throws -> Result
  ) rethrows -> Result {
    let former = input.actor
    input.actor = actor
    if former == nil { floats.releaseHiddenDialogs() }
    let open = floats.openDialogs
    defer {
      giveNewDialogs(since: open)
      input.actor = former
    }
    return try body()
  }

  /// Assigns dialogs that opened during a person's action to that person.
  private func giveNewDialogs(since open: [DialogView]) {
    guard let actor, actor !== user else { return }
    for dialog in floats.openDialogs where dialog.person == nil {
      if open.contains(where: { $0 === dialog }) { continue }
      dialog.belong(to: actor, whoseFocusIs: currentFocus(of: actor))
    }
  }

  /// Runs the actions of a person who has a focus of their own, and returns the scene's focus to
  /// its present owner afterwards. Keys of a person without a focus go to no view.
  package func withFocus<Result>(
    of other: ScenePerson, _ body: () throws -> Result
  ) rethrows -> Result {
    let (view, owner) = (focused, person)
    person = other
    if let own = other.focus, own.scene !== self || !focus(own) { other.focus = nil }
    input.ignoresFocus = other.focus == nil
    defer {
      input.ignoresFocus = false
      // Another view is still the owner's.
      other.focus = focus.owner === other ? focused : nil
      person = owner
      focus(view?.scene === self ? view : nil)
    }
    return try body()
  }

  /// Runs actions that come from a program. The causes of their changes name it.
  package func acting<Result>(
    through program: String, _ body: () throws -> Result
  ) rethrows -> Result {
    let former = input.program
    input.program = program
    defer { input.program = former }
    return try body()
  }

  func currentFocus(of person: ScenePerson) -> View? {
    focus.owner === person ? focused : person.focus
  }
}
