import CTideSlots
public import TideGraph

/// Calls a function before each write that changes the value of a path, and before each edit of a
/// list at its end.
///
/// The properties on the path are marked, so that their writers call this observer first. They are
/// found again whenever one of them has changed.
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
  /// The error of the function's latest call, as it is listed.
  private var failure: TideError?
  var isEnabled = true
  /// Whether the end of the path is never written, or is written without a slot of its own.
  private(set) var isBlind = false

  /// A marked property on the path, entry of a dict or list, and the steps after it.
  private struct Hook {
    let slot: Slot
    let generation: UInt32
    var entry: DictionaryKey?
    let rest: ArraySlice<PathStep>
    /// Its number among the prior observers of the slot.
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

  /// Marks the properties that the path goes through now, and records their reads.
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

  /// Marks a list at the end of the path.
  private func follow(_ object: DataObject) {
    guard let list = object as? ValueList else { return }
    if list.isReadOnly { isBlind = true } else { hook(list.versionSlot, rest: []) }
  }

  /// Returns false if the property cannot be written.
  private func hook(
    _ name: String, of object: DataObject, _ rest: ArraySlice<PathStep>
  ) -> Bool {
    if let slot = object.slot(named: name) {
      // A controller's selection is always the same object.
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

  /// Removes all marks.
  func end() {
    for hook in hooks { table.removePrior(hook.number, of: self, at: hook.slot, hook.generation) }
    hooks = []
  }

  /// The size in bytes of an observer, with its steps, its marks and its functions.
  static let weight = 640

  /// Called before a value is written, to a property or as an entry of a dict.
  func willChange(_ slot: Slot, entry: DictionaryKey? = nil, from held: Value, to value: Value) {
    guard let hook = hooks.first(where: { $0.isOf(slot) && $0.entry == entry }) else { return }
    tell(at: slot) {
      let old = end(of: held, hook.rest), new = end(of: value, hook.rest)
      // The list may be edited before the path is followed again.
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

  /// Called before a list is edited.
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

  /// - Parameter body: returns whether the function was called.
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
        // The function still fails, and the latest error replaces the former one.
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
  /// Calls a function before each write that changes the value of a path, with the new value and
  /// the present one.
  ///
  /// ```swift
  /// try context.observePrior(person, "name") { new, old in archive.append(old) }
  /// ```
  ///
  /// It is called during the write, so at once, and for each write of a batch. An error that it
  /// throws is listed, and the write continues. Before an edit of a list at the end of the path it
  /// is called with the list as both values; the list cannot be edited in the meantime.
  ///
  /// - Throws: `TideError`: of code `unknownProperty` for a first step that the object does not
  ///   have, `syntax` or another code of paths for an invalid path, `badArgument` for a computed
  ///   property or list, which is never written.
  @discardableResult
  public func observePrior(
    _ object: DataObject, _ path: String,
    _ body: @escaping (_ new: Value, _ old: Value) throws -> Void
  ) throws -> ContextEntry {
    try observePrior(object, path, body) { list, _ in try body(.object(list), .object(list)) }
  }

  /// - Parameter edited: called before each edit of a list at the end of the path.
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

/// Called before each write of the slots that `watchWrites` has marked, with the present value.
package protocol WriteWatch: AnyObject {
  func watches(_ slot: Slot) -> Bool
  func willWrite(_ slot: Slot, from held: Value, to value: Value)
  /// Like `willWrite(_:from:to:)`, for an entry of a dict.
  func willWrite(
    _ key: DictionaryKey, of dictionary: DictionaryObject, from held: Value, to value: Value)
  /// The number of the latest change that it has recorded.
  var latestChange: Int { get }
  /// Calls a function that undoes everything changed after a change.
  func takingBack(since change: Int, _ body: () -> Void)
}

extension Value {
  /// Whether a property with this value may hold a list later. A number or a text is hardly ever
  /// replaced by a list.
  fileprivate var mayBeList: Bool {
    switch self {
    case .null, .object: true
    case .boolean, .integer, .number, .string, .bytes: false
    }
  }
}

extension BindingTable {
  /// Adds an observer. Returns the number with which to remove it.
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
    // In place, because a copy for each removal would make the removal of many quadratic.
    priors[slot.index]?.remove(number, where: { $0 === observer })
    guard priors[slot.index]?.isEmpty == true else { return }
    priors[slot.index] = nil
    // The object may be gone, and the slot reused.
    if slot.blockGeneration == generation, writeWatch?.watches(slot) != true {
      slot.pointee.access &= ~Access.prior
    }
  }

  /// Makes the write watch be called before each write of a slot.
  package func watchWrites(of slot: Slot) {
    if slot.pointee.access & Access.prior != 0 { return }
    slot.pointee.access |= Access.prior
    checkCopies(to: slot)
  }

  /// Removes the mark of a slot, unless a prior observer or the write watch still needs it.
  package func unwatchWrites(of slot: Slot) {
    guard priors[slot.index]?.isEmpty ?? true, writeWatch?.watches(slot) != true else { return }
    slot.pointee.access &= ~Access.prior
  }

  /// Notifies prior observers and the write watch before a slot changes.
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

  /// Notifies prior observers and the write watch before an entry of a dict changes.
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

  /// Notifies prior observers before a list is edited.
  func willEdit(_ list: ValueList, _ kind: ListChange.Kind) {
    for observer in priors[list.versionSlot.index] ?? NumberedList() {
      observer.willEdit(list, kind)
    }
  }

  /// Gives bindings that copy directly to a slot a transfer, which notifies prior observers.
  private func checkCopies(to slot: Slot) {
    for edge in graph.dependencies(of: slot) where graph.copies(edge) {
      let transfer = BindingTransfer(self, through: nil, source: .slot, options: BindingOptions())
      transfer.property = slot
      graph.give(transfer, to: edge)
    }
  }
}
