/// One of several people who share a scene, as in pages: a question that their act has opened is
/// theirs alone.
package final class ScenePerson {
  package let number: Int
  /// The view that has this person's focus, while the scene's is another one's.
  package weak var focus: View?
  /// What this person typed last; nil for who has done something else since.
  var lastTyping: Typing?

  /// When a text was typed, in seconds of the app's clock, and in which modal dialog, if any.
  struct Typing {
    let moment: Double
    private(set) weak var dialog: View?
  }

  /// Who goes on in the place of a person who has left, as who has loaded a page again.
  package var heir: ScenePerson?

  package init(_ number: Int) { self.number = number }

  /// Who is there now for this person.
  package var present: ScenePerson {
    var last = self
    while let next = last.heir { last = next }
    // Others that have left may be held for long.
    if heir != nil { heir = last }
    return last
  }
}

extension Scene {
  /// Whose focus is the scene's; nil for whoever is at a terminal, and where nobody has to be told
  /// apart.
  package var person: ScenePerson? {
    get { floats.person }
    set { floats.person = newValue }
  }

  /// Whose act is being carried out, or goes on after a wait; nil for what the program does by
  /// itself.
  package var actor: ScenePerson? { input.actor.map(\.present) }

  /// Tells somebody something that shows nowhere in the tree.
  package func tell(_ text: String, _ person: ScenePerson) {
    if person !== user, let tell = host.tell { return tell(text, person) }
    cycle.pendingNotices.append(text)
  }

  /// Carries out what somebody does, or with nil what the program does by itself.
  package func acting<Result>(
    as actor: ScenePerson?, _ body: () throws -> Result
  ) rethrows -> Result {
    let former = input.actor
    input.actor = actor
    defer { input.actor = former }
    return try body()
  }
}
