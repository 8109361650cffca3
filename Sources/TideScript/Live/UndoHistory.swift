import TideBindings
import TideGraph
import TideViews

/// Records what people change in some models, for undo and redo.
///
/// ```lua
/// local history = undo.manager { todo, limit = 100 }
/// view.button { title = "Undo", bindTo = { enabled = "history.canUndo" },
///   on = { touchUpInside = function() history:undo() end } }
/// ```
///
///     input ──▶ writes and edits ──▶ step ──▶ steps ◀──undo, redo──▶ undone
///
/// Where several people share the app, each undoes their own steps and those of the program. The
/// program undoes the latest step, whoever made it.
///
/// It follows models, objects made in contexts, and all objects, lists and dicts that these hold.
/// Each of their slots calls back before a write, and each list reports its edits. Apps without a
/// history pay nothing. Writes outside of input belong to no step. They only change the stamp of a
/// list, so that undo does not find the list's rows by position alone.
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
  /// Whether each person undoes the latest step, whoever made it.
  private let isOfEveryone: Bool
  var followed: [UInt32: Followed] = [:]
  private var steps: [UndoStep] = []
  private var undone: [UndoStep] = []
  /// The reload in which it was made; nil for none.
  private weak var ownReload: AnyObject?
  /// The latest stamp at creation. A list with a later stamp has been edited since.
  private var firstStamp = 0
  /// The changes of the current action so far, or of the step being undone.
  private var current: UndoStep?
  private var isReverting = false
  /// The action that has undone something. Its later changes are not recorded.
  private var ignoredGesture: Int?
  /// Values that their holders have lost in the current action.
  var leaving: [Value] = []
  /// Lists that steps mention and that are currently not followed, by header index. Their stamps
  /// are kept.
  var detached: [UInt32: Followed] = [:]
  var lastStamp = 0
  /// Whether others have written since the titles were last updated.
  private var isOutdated = false
  /// The number of followed objects at which released objects are removed from the table.
  var mostFollowed = 1024

  /// A followed object, by its header's index.
  struct Followed {
    let generation: UInt32
    /// The number of followed properties and lists that hold it.
    var count = 1
    /// For a list: changes with each edit that belongs to no step.
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

  /// Stops following everything.
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

  /// The number of objects and lists that it follows.
  var followedCount: Int { followed.count }

  // MARK: Recording

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

  /// Whether a newer version of the script is being loaded. Its writes are not recorded here, since
  /// a refused version is rolled back completely.
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
    // A second copy of the step would cause a copy-on-write at each change.
    current = nil
    let before = step.notedBytes
    body(&step, center.nextChange())
    table.hooks.oweMemory?(step.notedBytes - before)
    current = step
  }

  /// Closes the step of an action, or of a part of it.
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
      // Other people have made steps since this step began.
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

  /// Makes later reverts find the edits of these lists by their rows instead of by position, since
  /// several steps have edited the lists in turn.
  private func loosen(_ edits: [UndoStep.ListEdit]) {
    for edit in edits { noteEdit(of: edit.list.header.index) }
  }

  /// The number of detached lists above which unmentioned ones are removed.
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

  /// The title of the next step to undo; nil if several people have steps, since their next steps
  /// differ.
  private static func title(of step: UndoStep?, among steps: [UndoStep]) -> Value {
    guard let step else { return .null }
    let authors = steps.lazy.compactMap(\.author)
    guard let first = authors.first else { return .string(step.title) }
    return authors.allSatisfy { $0.isSame(as: first) } ? .string(step.title) : .null
  }

  /// Whether any change of a step can still be reverted. Others may have overwritten the values or
  /// removed the objects since.
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

  // MARK: Undo and redo

  /// Undoes the latest step that still has an effect. Returns false if no step has one.
  func undo() -> Bool { move(\.steps, \.undone) }

  /// Redoes the last undone step that can be redone. Returns false if there is none.
  func redo() -> Bool { move(\.undone, \.steps) }

  /// Removes changes after a given one from all steps, since a stopped handler's writes were rolled
  /// back.
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
    // Earlier changes of the running action become a step of their own.
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
      // The models may have refused every write.
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

  /// Gives a list a new stamp, so that earlier edits are no longer reverted by position.
  private func noteEdit(of index: UInt32) {
    lastStamp += 1
    followed[index]?.stamp = lastStamp
    detached[index]?.stamp = lastStamp
  }

  /// The most times that values are restored again after effects have changed them.
  private static let passes = 4

  /// Reverts a step, and returns the step that reverts that.
  ///
  /// A property that no longer holds the value that the step wrote has been written by others
  /// since, and stays. In a text, only the step's own part is reverted.
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

  /// The values that revert a step's properties. A group may have changed a property several times,
  /// with changes of others in between.
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
    // Recorded here, since an object that is not followed at present does not report its writes.
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

  // MARK: Reload

  /// Continues with the steps of the history that the previous version had under this name.
  func adopt(_ former: UndoHistory) {
    let reached = graph.untracked { (former.steps + former.undone).reached(from: followedObjects) }
    (steps, undone) = (former.steps.keeping(reached), former.undone.keeping(reached))
    lastStamp = max(lastStamp, former.lastStamp)
    for (index, known) in former.followed.merging(
      former.detached, uniquingKeysWith: { one, _ in one })
    where followed[index]?.generation == known.generation {
      // A list that the new version's own code has edited no longer matches the steps.
      let isAsLeft = followed[index].map { $0.stamp <= firstStamp } ?? false
      if !isAsLeft { lastStamp += 1 }
      followed[index]?.stamp = isAsLeft ? known.stamp : lastStamp
    }
    if steps.count > limit { steps.removeFirst(steps.count - limit) }
    refresh()
  }
}
