/// An act of a user, based on the frame that the user saw. Tasks and timers that it starts belong
/// to it: they, too, apply only to selections that the user has seen.
///
///     press ──▶ handler ──wait──▶ goes on ──▶ reads the selection
///     frame 4                                 of frame 4, or changed since by the same user
package final class PersonalAct {
  /// The notice for a user whose act was stopped.
  package struct Refusal {
    /// The title of the current selection.
    package let selected: String
    /// Whether changes of models and lists from before a wait remain.
    package let hasKeptChanges: Bool
    /// The effects that cannot be undone, such as `file.write out.txt`.
    package let lasting: [String]
  }

  /// The number of the frame that the user saw.
  let frame: Int
  /// Whether the selections that it reads are checked.
  let checksSelections: Bool
  private let owner: AnyObject
  private let notify: (Refusal) -> Void
  /// Whether it has read a selection that its user has not seen. Everything that belongs to it then
  /// stops.
  package private(set) var isRefused = false
  private(set) var hasKeptChanges = false
  private var lasting: [String] = []

  private static let mostNamed = 20

  init(
    by owner: AnyObject, on frame: Int, checksSelections: Bool,
    _ notify: @escaping (Refusal) -> Void
  ) {
    self.owner = owner
    self.frame = frame
    self.checksSelections = checksSelections
    self.notify = notify
  }

  var person: ObjectIdentifier { ObjectIdentifier(owner) }

  /// Records an effect that cannot be undone.
  package func noteLasting(_ name: String) {
    if lasting.count < Self.mostNamed, !lasting.contains(name) { lasting.append(name) }
  }

  /// Records that a handler or task has changed models or lists.
  package func noteChanges() { hasKeptChanges = true }

  func refuse() { isRefused = true }

  /// - Parameter hasKeptChanges: whether earlier steps have changed models or lists.
  func notify(_ selected: String, hasKeptChanges: Bool) {
    notify(Refusal(selected: selected, hasKeptChanges: hasKeptChanges, lasting: lasting))
  }
}

/// Marks the error of a script that has read a selection which the acting user has not seen.
package struct UnseenSelection: Error {
  package init() {}
}
