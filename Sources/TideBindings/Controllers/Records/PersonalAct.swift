/// What a person did, on what a frame showed them. The tasks and timers that it starts belong to it:
/// they, too, apply only to selections that the person has seen.
///
///     press ──▶ handler ──wait──▶ goes on ──▶ reads the selection
///     frame 4                                 of frame 4, or changed since by the same person
package final class PersonalAct {
  /// The person whose act was stopped is notified of this.
  package struct Refusal {
    /// The title of what is selected now.
    package let selected: String
    /// Whether changes of models and lists stay that were made before a wait.
    package let hasKeptChanges: Bool
    /// The effects that cannot be taken back, such as `file.write out.txt`.
    package let lasting: [String]
  }

  /// The number of the frame that the person was shown.
  let frame: Int
  /// Whether the selections that it reads are checked.
  let checksSelections: Bool
  private let owner: AnyObject
  private let notify: (Refusal) -> Void
  /// Whether it has asked for a selection that its person has not seen. Nothing that belongs to it
  /// goes on then.
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

  /// Records an effect that cannot be taken back.
  package func noteLasting(_ name: String) {
    if lasting.count < Self.mostNamed, !lasting.contains(name) { lasting.append(name) }
  }

  /// Records that a handler or task has changed models or lists.
  package func noteChanges() { hasKeptChanges = true }

  func refuse() { isRefused = true }

  /// - Parameter hasKeptChanges: whether earlier stretches have changed models or lists.
  func notify(_ selected: String, hasKeptChanges: Bool) {
    notify(Refusal(selected: selected, hasKeptChanges: hasKeptChanges, lasting: lasting))
  }
}

/// Marks the error of a script that has asked for a selection which the acting person has not seen.
package struct UnseenSelection: Error {
  package init() {}
}
