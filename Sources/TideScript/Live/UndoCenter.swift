import TideBindings
import TideGraph
import TideViews

/// The undo histories of an app, and the current action of a person.
final class UndoCenter: WriteWatch {
  private var histories: [UndoHistory] = []
  private(set) var action = Action()
  private var depth = 0
  private var lastGroup = 0
  /// Actions that another action has interrupted.
  private var interrupted: [(depth: Int, action: Action)] = []
  /// The number of the latest change in a step.
  private(set) var latestChange = 0
  /// Whether a stopped handler's changes are being rolled back.
  private(set) var isTakingBack = false

  /// An action of a person, or of `undo.group`.
  struct Action {
    /// Its number; nil while no input is handled.
    var gesture: Int?
    var title: String?
    /// Whether it is text input. Its changes can then be found in a later text and reverted.
    var isTyping = false
    /// Whether it is a group, which may span several turns and is always one step.
    var isGroup = false
  }

  /// The acting person; nil for the program itself.
  var actor: () -> ScenePerson? = { nil }

  /// The current reload; nil for none.
  var reload: () -> AnyObject? = { nil }

  /// Called when the first history is added.
  var onFirst: () -> Void = {}

  func add(_ history: UndoHistory) {
    histories.append(history)
    if histories.count == 1 { onFirst() }
  }

  func remove(_ history: UndoHistory) { histories.removeAll { $0 === history } }

  var isEmpty: Bool { histories.isEmpty }

  func watches(_ slot: Slot) -> Bool {
    guard let header = slot.blockHeader else { return false }
    return histories.contains { $0.follows(header) }
  }

  func willWrite(_ slot: Slot, from held: Value, to value: Value) {
    guard let header = slot.blockHeader else { return }
    for history in histories where history.follows(header) {
      history.willWrite(slot, header, from: held, to: value)
    }
  }

  func willWrite(
    _ key: DictionaryKey, of dictionary: DictionaryObject, from held: Value, to value: Value
  ) {
    let header = dictionary.header
    for history in histories where history.follows(header) {
      history.willWrite(key, of: dictionary, from: held, to: value)
    }
  }

  // MARK: Actions

  /// Handles a person's input by calling a function. Input within other input belongs to the outer
  /// action, unless it is marked as separate.
  func handle(_ input: PersonInput, _ body: () -> Void) {
    let action = Action(gesture: input.gesture, title: input.title, isTyping: input.isTyping)
    if input.isApart { interrupt(by: action) } else { begin(action) }
    body()
    if input.isApart { leave() } else { end() }
  }

  private func begin(_ action: Action) {
    depth += 1
    if depth == 1 { self.action = action }
  }

  private func end() {
    guard depth > 0 else { return }
    depth -= 1
    if depth > 0 { return }
    for history in histories { history.finishStep() }
    action = Action()
  }

  /// An action that `undo.group` has begun and that goes on over several turns.
  struct Group {
    fileprivate let gesture: Int
    fileprivate let title: String
  }

  /// Makes the changes of a function one step, under a title. The group passed to it adds later
  /// turns to the step.
  func group(_ title: String, _ body: (Group) throws -> Void) rethrows {
    if action.gesture == nil {
      lastGroup -= 1
      begin(Action(gesture: lastGroup))
    } else {
      begin(Action())
    }
    action.title = title
    action.isGroup = true
    defer { end() }
    try body(Group(gesture: action.gesture ?? lastGroup, title: title))
  }

  /// Continues a group until `leave`. Another action may be under way, such as the answer to a
  /// question that the group waits for.
  func enter(_ group: Group) {
    interrupt(by: Action(gesture: group.gesture, title: group.title, isGroup: true))
  }

  private func interrupt(by action: Action) {
    for history in histories { history.finishStep() }
    interrupted.append((depth, self.action))
    (depth, self.action) = (1, action)
  }

  func leave() {
    guard let outer = interrupted.popLast() else { return }
    for history in histories { history.finishStep() }
    (depth, action) = outer
  }

  // MARK: Rolled-back changes

  func nextChange() -> Int {
    latestChange += 1
    return latestChange
  }

  /// Calls a function that rolls back all changes after a given one. The changes are then removed
  /// from all steps.
  func takingBack(since change: Int, _ body: () -> Void) {
    let wasTakingBack = isTakingBack
    isTakingBack = true
    body()
    isTakingBack = wasTakingBack
    for history in histories { history.forget(since: change) }
  }
}
