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

  private let center: UndoCenter
  private let table: BindingTable
  private let roots: [DataObject]
  private let contexts: [ContextContents]
  private let limit: Int
  /// Whether each person takes back the latest step, whoever made it.
  private let isOfEveryone: Bool
  private var followed: [UInt32: Followed] = [:]
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
  private var leaving: [Value] = []
  /// The stamps of lists that are in steps and not followed at present, by their headers' indexes.
  private var detached: [UInt32: Followed] = [:]
  private var lastStamp = 0
  /// From how many followed objects on those are looked for that are gone.
  private var mostFollowed = 1024

  /// An object that is followed, by its header's index.
  private struct Followed {
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

  // MARK: What is followed

  private var followedObjects: Set<ObjectIdentifier> {
    var objects: Set<ObjectIdentifier> = []
    for (index, known) in followed {
      let header = graph.slot(at: index)
      guard header.blockGeneration == known.generation, let object = header.block else { continue }
      objects.insert(ObjectIdentifier(object))
    }
    return objects
  }

  /// Follows an object that was made in a context.
  func include(_ object: DataObject) {
    if followed.count >= mostFollowed {
      followed = followed.filter { graph.slot(at: $0).blockGeneration == $1.generation }
      mostFollowed = max(1024, 2 * followed.count)
    }
    graph.untracked { follow(.object(object)) }
  }

  /// Follows an object no more whose context has been cleared.
  func exclude(_ object: DataObject) { graph.untracked { release(.object(object)) } }

  func follows(_ header: Slot) -> Bool {
    followed[header.index]?.generation == header.blockGeneration
  }

  private func follow(_ value: Value) {
    var rest = [value]
    while let value = rest.popLast() {
      guard case .object(let object as DataObject) = value, Self.isFollowed(object) else {
        continue
      }
      let header = object.header
      if follows(header) {
        followed[header.index]?.count += 1
        continue
      }
      lastStamp += 1
      var known = Followed(generation: header.blockGeneration, stamp: lastStamp)
      if let list = object as? ValueList {
        if let before = detached.removeValue(forKey: header.index),
          before.generation == known.generation
        {
          known.stamp = before.stamp
        } else {
          list.add(self)
        }
      }
      followed[header.index] = known
      for slot in Self.slots(of: object) { table.watchWrites(of: slot) }
      rest += Self.values(in: object)
    }
  }

  /// Follows a value no more that its holder has lost: at the end of the action, because what the
  /// rest of it changes there comes back with the value.
  private func release(_ value: Value) {
    if isRecording { leaving.append(value) } else { unfollow(value) }
  }

  private func releaseLeaving() {
    let values = leaving
    leaving = []
    graph.untracked { for value in values { unfollow(value) } }
  }

  private func unfollow(_ value: Value) {
    var rest = [value]
    while let value = rest.popLast() {
      guard case .object(let object as DataObject) = value, follows(object.header) else { continue }
      let index = object.header.index
      followed[index]?.count -= 1
      if followed[index]?.count != 0 { continue }
      let known = followed.removeValue(forKey: index)
      rest += Self.values(in: object)
      if object is ValueList {
        // It may come back by a step, and its edits until then have to be known.
        detached[index] = known
      }
      unmark(object)
    }
  }

  private func unmark(_ object: DataObject) {
    for slot in Self.slots(of: object) { table.unwatchWrites(of: slot) }
  }

  /// Whether it is an object whose changes can be taken back.
  static func isFollowed(_ object: DataObject) -> Bool {
    switch object {
    case is DictionaryObject: type(of: object) == DictionaryObject.self
    case let list as ValueList: !list.isReadOnly && !(list is StreamList)
    case is ScriptObject: true
    default: !Runtime.isScriptOwned(object) && !(object is any ListObject)
    }
  }

  /// The properties that are written, and neither computed nor read only. A dict has one slot for
  /// all.
  private static func slots(of object: DataObject) -> [Slot] {
    if let dictionary = object as? DictionaryObject { return [dictionary.versionSlot] }
    return object.shape.propertiesByIndex.indices.compactMap { index in
      let property = object.shape.propertiesByIndex[index]
      if property.isRetired || property.isReadOnly { return nil }
      if property.isKeptOutside { return object.slot(index) }
      if property.derive != nil { return nil }
      let slot = object.slot(index)
      return slot.isDerived ? nil : slot
    }
  }

  /// What an object, a list or a dict holds.
  static func values(in object: DataObject) -> [Value] {
    switch object {
    case let list as ValueList: list.values
    case let dictionary as DictionaryObject: dictionary.values
    default: slots(of: object).map { $0.load() }
    }
  }

  // MARK: What changes

  func willWrite(_ slot: Slot, _ header: Slot, from held: Value, to value: Value) {
    guard let object = header.block as? DataObject else { return }
    if case .object = value { follow(value) }
    if case .object = held { release(held) }
    let index = slot - header - 1
    guard isRecording, object.shape.propertiesByIndex.indices.contains(index) else { return }
    let name = object.shape.propertiesByIndex[index].name
    change { $0.note(object, name, at: slot, before: held) }
  }

  func willWrite(
    _ key: DictionaryKey, of dictionary: DictionaryObject, from held: Value, to value: Value
  ) {
    graph.untracked {
      if case .object = value { follow(value) }
      if case .object = held { release(held) }
    }
    guard isRecording else { return }
    change { $0.note(dictionary, key, before: held) }
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
      let stamp = followed[index]?.stamp ?? detached[index]?.stamp ?? 0
      change { $0.note(UndoStep.ListEdit(list: list, edit: edit, old: old, stamp: stamp)) }
    } else if !isInReload {
      noteEdit(of: index)
    }
  }

  /// Whether a newer version of the script is being loaded. What that one writes is not recorded
  /// here, because all of it is undone when the version is refused.
  private var isInReload: Bool {
    guard let reload = center.reload() else { return false }
    return reload !== ownReload
  }

  private var isRecording: Bool {
    if isReverting { return true }
    if isInReload { return false }
    guard let gesture = center.gesture else { return false }
    return gesture != ignoredGesture
  }

  private func change(_ body: (inout UndoStep) -> Void) {
    var step =
      current
      ?? UndoStep(
        gesture: center.gesture ?? 0, title: center.title,
        by: isOfEveryone ? nil : center.actor())
    // Two copies of a step would have it copied at each change.
    current = nil
    let before = step.notedBytes
    body(&step)
    table.hooks.oweMemory?(step.notedBytes - before)
    current = step
  }

  /// An action is over, or this part of it.
  func finishStep() {
    if isReverting { return }
    releaseLeaving()
    guard var step = current else { return }
    current = nil
    step.givenTitle = center.title ?? step.givenTitle
    graph.untracked { step.close() }
    if step.isEmpty { return }
    undone.removeAll { $0.author == nil || step.author.map($0.isOf) ?? true }
    if !undone.isEmpty { loosen(step.edits) }
    let isOfSame = { (other: UndoStep) in
      other.gesture == step.gesture && other.author?.present === step.author?.present
    }
    if let index = steps.lastIndex(where: isOfSame) {
      // Others have made steps since the group began to wait.
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
    graph.untracked {
      graph.batch {
        put(Index.canUndo.rawValue, .boolean(!steps.isEmpty))
        put(Index.canRedo.rawValue, .boolean(!undone.isEmpty))
        put(Index.undoTitle.rawValue, Self.title(of: steps))
        put(Index.redoTitle.rawValue, Self.title(of: undone))
      }
    }
  }

  /// The title of the next step to be taken back; nil where several people have steps, and so
  /// different next ones.
  private static func title(of steps: [UndoStep]) -> Value {
    guard let last = steps.last else { return .null }
    let authors = steps.lazy.compactMap { $0.author?.present }
    let isOfOne = authors.allSatisfy { $0 === authors.first }
    return isOfOne ? .string(last.title) : .null
  }

  // MARK: Taking back

  /// Takes the latest step back; false where there is none.
  func undo() -> Bool { move(\.steps, \.undone) }

  /// Does again what was taken back last; false where there is nothing.
  func redo() -> Bool { move(\.undone, \.steps) }

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
    guard let index = steps.lastIndex(where: { step in actor.map(step.isOf) ?? true }) else {
      return false
    }
    let step = self[keyPath: from].remove(at: index)
    // The later steps of others stay, so the positions in these lists have changed.
    let later = steps[(index + 1)...]
    for step in later { loosen(step.edits) }
    let counter = revert(step)
    for step in later { loosen(step.edits) }
    releaseLeaving()
    ignoredGesture = center.gesture
    if !counter.isEmpty { self[keyPath: to].append(counter) }
    refresh()
    return true
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
  /// somebody else, and stays.
  private func revert(_ step: UndoStep) -> UndoStep {
    isReverting = true
    defer { isReverting = false }
    current = UndoStep(gesture: 0, title: step.givenTitle, by: step.author)
    let changes = graph.untracked { step.properties.filter { $0.held == $0.after } }
    graph.untracked {
      graph.batch {
        for edit in step.edits.reversed() {
          let index = edit.list.header.index
          let stamp = followed[index]?.stamp ?? detached[index]?.stamp
          attempt { try edit.list.takeBack(edit.edit, edit.old, isExact: stamp == edit.stamp) }
        }
        for change in changes { put(change) }
      }
      graph.settle()
      for _ in 0..<Self.passes {
        let wrong = changes.filter { $0.held != $0.before }
        if wrong.isEmpty { break }
        graph.batch { for change in wrong { put(change) } }
        graph.settle()
      }
    }
    var counter = current ?? UndoStep(gesture: 0, by: step.author)
    current = nil
    graph.untracked { counter.close() }
    return counter
  }

  private func put(_ change: UndoStep.PropertyChange) {
    // The change is noted here because the object may be held by nothing at present, and then tells
    // of no writes.
    switch change.member {
    case .property(let name):
      guard let index = change.object.shape.index(of: name) else { return }
      let slot = change.object.slot(index)
      self.change { $0.note(change.object, name, at: slot, before: slot.load()) }
      attempt { _ = try change.object.store(index, change.before, settling: true) }
    case .entry(let key):
      guard let dictionary = change.object as? DictionaryObject else { return }
      let held = dictionary[key]
      self.change { $0.note(dictionary, key, before: held) }
      dictionary.set(key, change.before)
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
