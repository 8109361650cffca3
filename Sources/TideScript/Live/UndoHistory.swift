import TideBindings
import TideGraph
import TideViews

/// What people have changed in some models, so that it can be taken back and done again.
///
/// ```lua
/// local history = undo.manager { todo, limit = 100 }
/// view.button { title = "Undo", bindTo = { enabled = "history.canUndo" },
///   on = { touchUpInside = function() history:undo() end } }
/// ```
///
///     input ──▶ writes and edits ──▶ step ──▶ steps ◀──undo, redo──▶ undone
///
/// Where several people share the app, each takes back their own steps and those of the program.
/// The program takes back the latest step, whoever made it.
///
/// It follows models, what is made in contexts, and all objects, lists and dicts that these hold.
/// Each of their slots asks before a write, and each list tells its edits; who uses no history pays
/// nothing. What is written while no input is handled is no part of any step: it only changes the
/// stamp of the list, so that later an edit is not taken back by its position alone.
final class UndoHistory: LiveObject, ListFollower {
  static let undoShape = Shape(
    name: "undo",
    properties: [
      PropertyDescription("canUndo", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("canRedo", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("undoTitle", .string, isReadOnly: true),
      PropertyDescription("redoTitle", .string, isReadOnly: true),
    ], swiftClasses: [])

  private enum Index: Int {
    case canUndo, canRedo, undoTitle, redoTitle
  }

  let center: UndoCenter
  let table: BindingTable
  let roots: [DataObject]
  let contexts: [ContextContents]
  private let limit: Int
  /// Whether each person takes back the latest step, whoever made it.
  private let isOfEveryone: Bool
  var followed: [UInt32: Followed] = [:]
  private var steps: [UndoStep] = []
  private var undone: [UndoStep] = []
  /// The reload in which it was made; nil for none.
  private weak var ownReload: AnyObject?
  /// The stamp that the latest of what was followed at first had: none of that was edited since.
  private var firstStamp = 0
  /// What the action under way has changed so far, or what is being taken back.
  private var current: UndoStep?
  private var isReverting = false
  /// The action in which something was taken back: its consequences are no step.
  private var ignoredGesture: Int?
  /// Values that their holders have lost in the action under way.
  var leaving: [Value] = []
  /// The stamps of lists that are in steps and not followed at present, by their headers' indexes.
  var detached: [UInt32: Followed] = [:]
  var lastStamp = 0
  /// Whether others have written since the titles were determined.
  private var isOutdated = false
  /// From how many followed objects on those are looked for that are gone.
  var mostFollowed = 1024

  /// An object that is followed, by its header's index.
  struct Followed {
    let generation: UInt32
    /// How many followed properties and lists hold it.
    var count = 1
    /// Of a list: another one after each edit that is no part of a step.
    var stamp: Int
  }

  init(
    _ roots: [DataObject], _ contexts: [ContextContents], limit: Int, isOfEveryone: Bool,
    _ center: UndoCenter, in table: BindingTable
  ) {
    self.center = center
    self.table = table
    self.roots = roots
    self.contexts = contexts
    self.limit = limit
    self.isOfEveryone = isOfEveryone
    super.init(shape: Self.undoShape)
    center.add(self)
    graph.untracked { for root in roots { follow(.object(root)) } }
    for context in contexts { context.add(self) }
    ownReload = center.reload()
    firstStamp = lastStamp
  }

  /// Follows nothing any more.
  func end() {
    center.remove(self)
    for context in contexts { context.remove(self) }
    let graph = table.graph
    for (index, known) in followed {
      let header = graph.slot(at: index)
      guard header.blockGeneration == known.generation, let object = header.block as? DataObject
      else { continue }
      (object as? ValueList)?.remove(self)
      unmark(object)
    }
  }

  func addHeld(to meter: inout MemoryMeter) {
    meter.add((followed.count + detached.count) * 48 + (current?.notedBytes ?? 0))
    for step in steps + undone { meter.add(step.weight) }
  }

  /// How many objects and lists it follows.
  var followedCount: Int { followed.count }

  // MARK: What changes

  func willWrite(_ slot: Slot, _ header: Slot, from held: Value, to value: Value) {
    guard let object = header.block as? DataObject else { return }
    if case .object = value { follow(value) }
    if case .object = held { release(held) }
    let index = slot - header - 1
    guard object.shape.propertiesByIndex.indices.contains(index) else { return }
    guard isRecording else {
      isOutdated = true
      return
    }
    let name = object.shape.propertiesByIndex[index].name
    change { $0.note(object, name, at: slot, before: held, $1) }
  }

  func willWrite(
    _ key: DictionaryKey, of dictionary: DictionaryObject, from held: Value, to value: Value
  ) {
    graph.untracked {
      if case .object = value { follow(value) }
      if case .object = held { release(held) }
    }
    guard isRecording else {
      isOutdated = true
      return
    }
    change { $0.note(dictionary, key, before: held, $1) }
  }

  func list(_ list: ValueList, did edit: ValueList.Edit, to old: [Value]) {
    let index = list.header.index
    let isFollowed = follows(list.header)
    if isFollowed {
      graph.untracked {
        for value in edit.added { follow(value) }
        for value in edit.removed(old) { release(value) }
      }
    }
    if isReverting || isFollowed && isRecording {
      let stamp = stamp(of: list)
      change {
        $0.note(
          UndoStep.ListEdit(list: list, edit: edit, old: old, stamp: stamp ?? 0, number: $1))
      }
    } else if !isInReload && !center.isTakingBack {
      isOutdated = true
      noteEdit(of: index)
    }
  }

  /// Whether a newer version of the script is being loaded. What that one writes is not recorded
  /// here, because all of it is undone when the version is refused.
  private var isInReload: Bool {
    guard let reload = center.reload() else { return false }
    return reload !== ownReload
  }

  var isRecording: Bool {
    if center.isTakingBack { return false }
    if isReverting { return true }
    if isInReload { return false }
    guard let gesture = center.action.gesture else { return false }
    return gesture != ignoredGesture
  }

  private func change(_ body: (inout UndoStep, _ number: Int) -> Void) {
    var step = current ?? UndoStep(of: center.action, by: isOfEveryone ? nil : center.actor())
    // Two copies of a step would have it copied at each change.
    current = nil
    let before = step.notedBytes
    body(&step, center.nextChange())
    table.hooks.oweMemory?(step.notedBytes - before)
    current = step
  }

  /// An action is over, or this part of it.
  func finishStep() {
    if isReverting { return }
    releaseLeaving()
    guard var step = current else {
      if isOutdated { refresh() }
      return
    }
    current = nil
    step.givenTitle = center.action.title ?? step.givenTitle
    graph.untracked { step.close() }
    if step.isEmpty { return }
    undone.removeAll { $0.author == nil || step.author.map($0.isOf) ?? true }
    if !undone.isEmpty { loosen(step.edits) }
    if let index = steps.lastIndex(where: { $0.isSameAction(as: step) }),
      steps[index].goesOn(with: step)
    {
      // Others have made steps since this one began.
      if index < steps.count - 1 { loosen(step.edits) }
      steps[index].add(step)
      if steps[index].isEmpty { steps.remove(at: index) }
    } else {
      steps.append(step)
      if steps.count > limit { steps.removeFirst(steps.count - limit) }
    }
    forgetDetached()
    refresh()
  }

  /// Makes later reverts find the edits of these lists by their rows rather than by position, since
  /// several steps have edited the lists in turn.
  private func loosen(_ edits: [UndoStep.ListEdit]) {
    for edit in edits { noteEdit(of: edit.list.header.index) }
  }

  /// How many lists are kept in mind before those are looked for that no step mentions any more.
  private static let mostDetached = 256

  private func forgetDetached() {
    guard detached.count > Self.mostDetached else { return }
    var mentioned: Set<UInt32> = []
    for step in steps + undone {
      for edit in step.edits { mentioned.insert(edit.list.header.index) }
    }
    for (index, known) in detached where !mentioned.contains(index) {
      let header = graph.slot(at: index)
      if header.blockGeneration == known.generation {
        (header.block as? ValueList)?.remove(self)
      }
      detached[index] = nil
    }
  }

  private func refresh() {
    isOutdated = false
    graph.untracked {
      let (next, last) = (steps.last(where: canRevert), undone.last(where: canRevert))
      graph.batch {
        put(Index.canUndo.rawValue, .boolean(next != nil))
        put(Index.canRedo.rawValue, .boolean(last != nil))
        put(Index.undoTitle.rawValue, Self.title(of: next, among: steps))
        put(Index.redoTitle.rawValue, Self.title(of: last, among: undone))
      }
    }
  }

  /// The title of the next step to be taken back; nil where several people have steps, and so
  /// different next ones.
  private static func title(of step: UndoStep?, among steps: [UndoStep]) -> Value {
    guard let step else { return .null }
    let authors = steps.lazy.compactMap(\.author)
    guard let first = authors.first else { return .string(step.title) }
    return authors.allSatisfy { $0.isSame(as: first) } ? .string(step.title) : .null
  }

  /// Whether anything of a step is left to be taken back: others may have written the same since, or
  /// removed the object.
  private func canRevert(_ step: UndoStep) -> Bool {
    let isLeft = { [self] (change: UndoStep.PropertyChange) in
      follows(change.object.header)
        && change.held.flatMap { change.takenBack(from: $0) } != nil
    }
    return step.properties.contains(where: isLeft)
      || step.edits.contains { edit in
        follows(edit.list.header)
          && edit.list.canTakeBack(
            edit.edit, edit.old, isExact: stamp(of: edit.list) == edit.stamp)
      }
  }

  // MARK: Taking back

  /// Takes back the latest step that still has an effect; returns false if no step has one.
  func undo() -> Bool { move(\.steps, \.undone) }

  /// Does again what was taken back last and can be done again; false where there is nothing.
  func redo() -> Bool { move(\.undone, \.steps) }

  /// A stopped handler's changes after one have been taken back: they are in no step.
  func forget(since change: Int) {
    graph.untracked {
      current?.removeChanges(since: change)
      steps.removeChanges(since: change)
      undone.removeChanges(since: change)
    }
    refresh()
  }

  func clear() {
    (steps, undone, current) = ([], [], nil)
    refresh()
  }

  private func move(
    _ from: ReferenceWritableKeyPath<UndoHistory, [UndoStep]>,
    _ to: ReferenceWritableKeyPath<UndoHistory, [UndoStep]>
  ) -> Bool {
    if isReverting { return false }
    // What the running action has changed before is a step of its own.
    finishStep()
    let steps = self[keyPath: from]
    let actor = isOfEveryone ? nil : center.actor()
    defer { refresh() }
    for (index, step) in steps.enumerated().reversed() {
      guard actor.map(step.isOf) ?? true, graph.untracked({ canRevert(step) }) else { continue }
      self[keyPath: from].remove(at: index)
      // The later steps of others stay, so the positions in these lists have changed.
      let later = steps[(index + 1)...]
      for step in later { loosen(step.edits) }
      let counter = revert(step)
      for step in later { loosen(step.edits) }
      releaseLeaving()
      ignoredGesture = center.action.gesture
      // The models may have refused all of it.
      if counter.isEmpty { continue }
      self[keyPath: to].append(counter)
      return true
    }
    return false
  }

  private func stamp(of list: ValueList) -> Int? {
    let index = list.header.index
    return followed[index]?.stamp ?? detached[index]?.stamp
  }

  /// Notes that a list has been edited since its last known step.
  private func noteEdit(of index: UInt32) {
    lastStamp += 1
    followed[index]?.stamp = lastStamp
    detached[index]?.stamp = lastStamp
  }

  /// How often what follows from the values that are put back may be corrected.
  private static let passes = 4

  /// Takes a step back, and gives the step that takes that back.
  ///
  /// A property that holds something else than what the step has written was written since by
  /// somebody else, and stays; of a text, what they have changed in it stays.
  private func revert(_ step: UndoStep) -> UndoStep {
    isReverting = true
    defer { isReverting = false }
    let counterpart = UndoStep(of: UndoCenter.Action(title: step.givenTitle), by: step.author)
    current = counterpart
    let changes = graph.untracked { Self.writes(takingBack: step) }
    graph.untracked {
      graph.batch {
        for edit in step.edits.reversed() {
          let isExact = stamp(of: edit.list) == edit.stamp
          attempt { try edit.list.takeBack(edit.edit, edit.old, isExact: isExact) }
        }
        for write in changes { put(write) }
      }
      graph.settle()
      for _ in 0..<Self.passes {
        let wrong = changes.filter { $0.change.held != $0.value }
        if wrong.isEmpty { break }
        graph.batch { for write in wrong { put(write) } }
        graph.settle()
      }
    }
    var counter = current ?? counterpart
    current = nil
    graph.untracked { counter.close() }
    return counter
  }

  private typealias Write = (change: UndoStep.PropertyChange, value: Value)

  /// The values that take a step's properties back. A group may have changed one several times, with
  /// changes of others in between.
  private static func writes(takingBack step: UndoStep) -> [Write] {
    var writes: [Write] = []
    var known: [UndoStep.Target: Int] = [:]
    for change in step.properties.reversed() {
      let index = known[change.target]
      guard let held = index.map({ writes[$0].value }) ?? change.held,
        let value = change.takenBack(from: held)
      else { continue }
      if let index {
        writes[index].value = value
      } else {
        known[change.target] = writes.count
        writes.append((change, value))
      }
    }
    return writes.reversed()
  }

  private func put(_ write: Write) {
    let (change, value) = write
    // The change is noted here because the object may be held by nothing at present, and then tells
    // of no writes.
    switch change.member {
    case .property(let name):
      guard let index = change.object.shape.index(of: name) else { return }
      let slot = change.object.slot(index)
      self.change {
        $0.note(change.object, name, at: slot, before: slot.load(), isTyped: change.isTyped, $1)
      }
      attempt { _ = try change.object.store(index, value, settling: true) }
    case .entry(let key):
      guard let dictionary = change.object as? DictionaryObject else { return }
      let held = dictionary[key]
      self.change { $0.note(dictionary, key, before: held, isTyped: change.isTyped, $1) }
      dictionary.set(key, value)
    }
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { table.list(error) }
  }

  // MARK: Over a reload

  /// Goes on with the steps of the history that the version before had under this name.
  func adopt(_ former: UndoHistory) {
    let reached = graph.untracked { (former.steps + former.undone).reached(from: followedObjects) }
    (steps, undone) = (former.steps.keeping(reached), former.undone.keeping(reached))
    lastStamp = max(lastStamp, former.lastStamp)
    for (index, known) in former.followed.merging(
      former.detached, uniquingKeysWith: { one, _ in one })
    where followed[index]?.generation == known.generation {
      // What the new version's own body has edited is not as the steps have left it.
      let isAsLeft = followed[index].map { $0.stamp <= firstStamp } ?? false
      if !isAsLeft { lastStamp += 1 }
      followed[index]?.stamp = isAsLeft ? known.stamp : lastStamp
    }
    if steps.count > limit { steps.removeFirst(steps.count - limit) }
    refresh()
  }
}
