import TideBindings
import TideGraph
import TideViews

/// The histories of an app, and the action of a person that is under way.
final class UndoCenter: WriteWatch {
  private var histories: [UndoHistory] = []
  /// The number of the action; nil while no input is handled.
  private(set) var gesture: Int?
  private(set) var title: String?
  private var depth = 0
  private var lastGroup = 0
  /// The actions that are interrupted by an entered group.
  private var interrupted: [(depth: Int, gesture: Int?, title: String?)] = []

  /// The person who acts; nil for the program itself.
  var actor: () -> ScenePerson? = { nil }

  /// The reload that is under way; nil for none.
  var reload: () -> AnyObject? = { nil }

  /// Called when the first history has come.
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

  func begin(_ gesture: Int, _ title: String?) {
    depth += 1
    if depth > 1 { return }
    self.gesture = gesture
    self.title = title
  }

  func end() {
    guard depth > 0 else { return }
    depth -= 1
    if depth > 0 { return }
    for history in histories { history.finishStep() }
    gesture = nil
    title = nil
  }

  /// An action that `undo.group` has begun and that goes on over several turns.
  struct Group {
    fileprivate let gesture: Int
    fileprivate let title: String
  }

  /// Makes the changes of a function one step, under a title. The given group adds later turns to
  /// the step.
  func group(_ title: String, _ body: (Group) throws -> Void) rethrows {
    if gesture == nil {
      lastGroup -= 1
      begin(lastGroup, title)
    } else {
      begin(0, nil)
      self.title = title
    }
    defer { end() }
    try body(Group(gesture: gesture ?? lastGroup, title: title))
  }

  /// Continues a group until `leave`. Another action may be under way, such as the answer to a
  /// question that the group waits for.
  func enter(_ group: Group) {
    for history in histories { history.finishStep() }
    interrupted.append((depth, gesture, title))
    (depth, gesture, title) = (1, group.gesture, group.title)
  }

  func leave() {
    guard let outer = interrupted.popLast() else { return }
    for history in histories { history.finishStep() }
    (depth, gesture, title) = outer
  }
}
