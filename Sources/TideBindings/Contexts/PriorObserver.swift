import CTideSlots
public import TideGraph

/// Tells a function of each write that is about to change what a path leads to, and of each edit of
/// the list that it leads to.
///
/// The properties on the path are marked, so that whoever writes one asks here first; which they
/// are is found again whenever one of them has changed.
final class PriorObserver {
  typealias Function = (_ new: Value, _ old: Value) throws -> Void
  typealias EditFunction = (ValueList, ListChange.Kind) throws -> Void

  private unowned let table: BindingTable
  private let root: ObjectHandle
  private let steps: [PathStep]
  private let function: Function
  private let edited: EditFunction
  private var hooks: [Hook] = []
  private var isTelling = false
  /// Why the function's latest call failed, as it is listed.
  private var failure: TideError?
  var isEnabled = true
  /// Whether the path leads to what nobody writes, or to what is written to no slot of its own.
  private(set) var isBlind = false

  /// A property on the path, an entry of a dict, or a list's contents, and what follows it.
  private struct Hook {
    let slot: Slot
    let generation: UInt32
    var entry: DictionaryKey?
    let rest: ArraySlice<PathStep>
    /// Its number among those that wait for a write there.
    let number: Int

    func isOf(_ slot: Slot) -> Bool { self.slot == slot && generation == slot.blockGeneration }
  }

  init(
    _ object: DataObject, _ steps: [PathStep], in table: BindingTable,
    _ function: @escaping Function, edited: @escaping EditFunction
  ) {
    self.table = table
    root = ObjectHandle(object)
    self.steps = steps
    self.function = function
    self.edited = edited
  }

  /// Marks the properties that the path goes through at present, recording them as read.
  func follow() {
    end()
    guard var object = root.object else { return }
    isBlind = false
    for (index, step) in steps.enumerated() {
      let isHooked = step.propertyName.map { hook($0, of: object, steps[(index + 1)...]) } ?? false
      if index == steps.count - 1 { isBlind = !isHooked }
      let next = try? PathReader.read(steps[index...index], from: object).value
      guard case .object(let following as DataObject)? = next else { return }
      object = following
    }
    follow(object)
  }

  /// Marks a list that the path leads to.
  private func follow(_ object: DataObject) {
    guard let list = object as? ValueList else { return }
    if list.isReadOnly { isBlind = true } else { hook(list.versionSlot, rest: []) }
  }

  /// False where the property cannot be written.
  private func hook(
    _ name: String, of object: DataObject, _ rest: ArraySlice<PathStep>
  ) -> Bool {
    if let slot = object.slot(named: name) {
      // A controller's selection is the same object at all times.
      if slot.isDerived || (object is ObjectController && name == "selection") { return false }
      hook(slot, rest: rest)
      return true
    }
    guard let dictionary = object as? DictionaryObject else { return false }
    hook(dictionary.versionSlot, entry: .text(name), rest: rest)
    return true
  }

  private func hook(_ slot: Slot, entry: DictionaryKey? = nil, rest: ArraySlice<PathStep>) {
    let number = table.addPrior(self, at: slot)
    hooks.append(
      Hook(
        slot: slot, generation: slot.blockGeneration, entry: entry, rest: rest, number: number))
  }

  /// Marks nothing any more.
  func end() {
    for hook in hooks { table.removePrior(hook.number, of: self, at: hook.slot, hook.generation) }
    hooks = []
  }

  /// Bytes of one: itself, its steps, its marks, the functions.
  static let weight = 640

  /// A value is about to be written: to a property, or as an entry of a dict.
  func willChange(_ slot: Slot, entry: DictionaryKey? = nil, from held: Value, to value: Value) {
    guard let hook = hooks.first(where: { $0.isOf(slot) && $0.entry == entry }) else { return }
    tell(at: slot) {
      let old = end(of: held, hook.rest), new = end(of: value, hook.rest)
      // It may be edited before the path is found anew.
      if case .object(let list as ValueList) = new,
        !hooks.contains(where: { $0.isOf(list.versionSlot) })
      {
        follow(list)
      }
      if old == new { return false }
      try function(new, old)
      return true
    }
  }

  /// A list is about to be edited.
  func willEdit(_ list: ValueList, _ kind: ListChange.Kind) {
    guard hooks.contains(where: { $0.isOf(list.versionSlot) }) else { return }
    tell(at: list.versionSlot) {
      guard let root = root.object,
        case .object(let current) = try PathReader.read(steps[...], from: root).value,
        current === list
      else { return false }
      try edited(list, kind)
      return true
    }
  }

  /// - Parameter body: gives whether the function was called.
  private func tell(at slot: Slot, _ body: () throws -> Bool) {
    guard isEnabled, !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    let former = failure
    table.graph.untracked {
      do {
        guard try body(), let former else { return }
        failure = nil
        table.withdraw(former)
      } catch {
        failure = table.list(error, at: slot)
        // It fails still, and the latest error says with what.
        if let former { table.remove(former) }
      }
    }
  }

  private func end(of value: Value, _ rest: ArraySlice<PathStep>) -> Value {
    if rest.isEmpty { return value }
    guard case .object(let object as DataObject) = value else { return .null }
    return (try? PathReader.read(rest, from: object).value) ?? .null
  }
}

extension BindingContext {
  /// Calls a function before each write that changes what a path leads to, with the value that is
  /// about to be there and the one that still is.
  ///
  /// ```swift
  /// try context.observePrior(person, "name") { new, old in archive.append(old) }
  /// ```
  ///
  /// It is called in the middle of the write, hence at once and for each write of a batch; what it
  /// throws is listed, and the write goes on. Before an edit of a list that the path leads to it is
  /// called with the list as both values; the list cannot be edited meanwhile.
  ///
  /// - Throws: `TideError`: of code `unknownProperty` for a first step that the object does not
  ///   have, `syntax` or another of paths for what is none, `badArgument` for a computed property
  ///   or list, which nobody writes.
  @discardableResult
  public func observePrior(
    _ object: DataObject, _ path: String,
    _ body: @escaping (_ new: Value, _ old: Value) throws -> Void
  ) throws -> ContextEntry {
    try observePrior(object, path, body) { list, _ in try body(.object(list), .object(list)) }
  }

  /// - Parameter edited: told of each edit of the list that the path leads to.
  package func observePrior(
    _ object: DataObject, _ path: String,
    _ body: @escaping (_ new: Value, _ old: Value) throws -> Void,
    edited: @escaping (ValueList, ListChange.Kind) throws -> Void
  ) throws -> ContextEntry {
    let end = try Endpoint(object, Path(path))
    let observer = PriorObserver(end.object, end.path.steps, in: table, body, edited: edited)
    table.graph.untracked { observer.follow() }
    if observer.isBlind {
      observer.end()
      let name = end.property.map { table.graph.name(of: $0) } ?? "what \"\(path)\" leads to"
      throw TideError(
        .badArgument,
        "\(name) is computed; a call before the write needs a property or a list that is written")
    }
    if end.path.steps.count == 1, let property = end.property, !property.load().mayBeList {
      return own(setEnabled: { observer.isEnabled = $0 }) { observer.end() }
    }
    let followed = effect { observer.follow() }
    return own(setEnabled: { observer.isEnabled = $0 }) {
      followed.cancel()
      observer.end()
    }
  }
}

/// Is told before each write of the slots that it has marked by `watchWrites`, with the value that
/// is still there.
package protocol WriteWatch: AnyObject {
  func watches(_ slot: Slot) -> Bool
  func willWrite(_ slot: Slot, from held: Value, to value: Value)
  /// The same of an entry of a dict.
  func willWrite(
    _ key: DictionaryKey, of dictionary: DictionaryObject, from held: Value, to value: Value)
  /// The number of the latest change that it knows of.
  var latestChange: Int { get }
  /// Calls a function that takes back all that was changed after that change.
  func takingBack(since change: Int, _ body: () -> Void)
}

extension Value {
  /// Whether a property that holds it may hold a list at another time: a number or a text is hardly
  /// ever followed by one.
  fileprivate var mayBeList: Bool {
    switch self {
    case .null, .object: true
    case .boolean, .integer, .number, .string, .bytes: false
    }
  }
}

extension BindingTable {
  /// Gives the number to take the observer out by.
  func addPrior(_ observer: PriorObserver, at slot: Slot) -> Int {
    let number = priors[slot.index, default: NumberedList()].append(observer)
    if slot.pointee.access & Access.prior == 0 {
      slot.pointee.access |= Access.prior
      checkCopies(to: slot)
    }
    return number
  }

  func removePrior(
    _ number: Int, of observer: PriorObserver, at slot: Slot, _ generation: UInt32
  ) {
    // In place: a copy for each that leaves would make the end of many quadratic.
    priors[slot.index]?.remove(number, where: { $0 === observer })
    guard priors[slot.index]?.isEmpty == true else { return }
    priors[slot.index] = nil
    // The object may be gone, and the slot another's.
    if slot.blockGeneration == generation, writeWatch?.watches(slot) != true {
      slot.pointee.access &= ~Access.prior
    }
  }

  /// Has the watch told before each write of a slot.
  package func watchWrites(of slot: Slot) {
    if slot.pointee.access & Access.prior != 0 { return }
    slot.pointee.access |= Access.prior
    checkCopies(to: slot)
  }

  /// The same no more, unless somebody else wants to know.
  package func unwatchWrites(of slot: Slot) {
    guard priors[slot.index]?.isEmpty ?? true, writeWatch?.watches(slot) != true else { return }
    slot.pointee.access &= ~Access.prior
  }

  /// Tells those who want to know before a slot changes.
  @inline(__always)
  func willChange(_ slot: Slot, to value: @autoclosure () -> Value) {
    if _slowPath(slot.pointee.access & Access.prior != 0) { tellPriors(of: slot, value()) }
  }

  @inline(never)
  private func tellPriors(of slot: Slot, _ value: Value) {
    let held = slot.load()
    if held == value { return }
    for observer in priors[slot.index] ?? NumberedList() {
      observer.willChange(slot, from: held, to: value)
    }
    writeWatch?.willWrite(slot, from: held, to: value)
  }

  /// Tells those who want to know before an entry of a dict changes.
  func willChange(
    _ dictionary: DictionaryObject, _ key: DictionaryKey, from held: Value, to value: Value
  ) {
    let slot = dictionary.versionSlot
    for observer in priors[slot.index] ?? NumberedList() {
      observer.willChange(slot, entry: key, from: held, to: value)
    }
    if writeWatch?.watches(slot) == true {
      writeWatch?.willWrite(key, of: dictionary, from: held, to: value)
    }
  }

  /// Tells those who want to know before a list is edited.
  func willEdit(_ list: ValueList, _ kind: ListChange.Kind) {
    for observer in priors[list.versionSlot.index] ?? NumberedList() {
      observer.willEdit(list, kind)
    }
  }

  /// Bindings that were made to copy past everybody are given a transfer that looks.
  private func checkCopies(to slot: Slot) {
    for edge in graph.dependencies(of: slot) where graph.copies(edge) {
      let transfer = BindingTransfer(self, through: nil, source: .slot, options: BindingOptions())
      transfer.property = slot
      graph.give(transfer, to: edge)
    }
  }
}
