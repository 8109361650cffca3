import CTideSlots
public import TideGraph

/// Tells a function of each write that is about to change what a path leads to.
///
/// The properties on the path are marked, so that whoever writes one asks here first; which they
/// are is found again whenever one of them has changed.
final class PriorObserver {
  typealias Function = (_ new: Value, _ old: Value) throws -> Void

  private unowned let table: BindingTable
  private let root: ObjectHandle
  private let steps: [PathStep]
  private let function: Function
  private var hooks: [Hook] = []
  private var isTelling = false
  var isEnabled = true

  /// A property on the path, and what follows it.
  private struct Hook {
    let slot: Slot
    let generation: UInt32
    let rest: ArraySlice<PathStep>
  }

  init(
    _ object: DataObject, _ steps: [PathStep], in table: BindingTable,
    _ function: @escaping Function
  ) {
    self.table = table
    root = ObjectHandle(object)
    self.steps = steps
    self.function = function
  }

  /// Marks the properties that the path goes through at present, recording them as read.
  func follow() {
    end()
    guard var object = root.object else { return }
    for (place, step) in steps.enumerated() {
      if let name = step.propertyName, let slot = object.slot(named: name) {
        hook(slot, steps[(place + 1)...])
      }
      let next = try? PathReader.read(steps[place...place], from: object).value
      guard case .object(let following as DataObject)? = next else { return }
      object = following
    }
  }

  private func hook(_ slot: Slot, _ rest: ArraySlice<PathStep>) {
    if slot.isDerived { return }
    hooks.append(Hook(slot: slot, generation: slot.blockGeneration, rest: rest))
    table.addPrior(self, at: slot)
  }

  /// Marks nothing any more.
  func end() {
    for hook in hooks where hook.slot.blockGeneration == hook.generation {
      table.removePrior(self, at: hook.slot)
    }
    hooks = []
  }

  /// A value is about to be written.
  func willChange(_ slot: Slot, to value: Value) {
    guard isEnabled, !isTelling,
      let hook = hooks.first(where: {
        $0.slot == slot && $0.generation == slot.blockGeneration
      })
    else { return }
    isTelling = true
    defer { isTelling = false }
    table.graph.untracked {
      let old = end(of: slot.load(), hook.rest), new = end(of: value, hook.rest)
      if old == new { return }
      do { try function(new, old) } catch { table.list(error, at: slot) }
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
  /// throws is listed, and the write goes on. Edits of a list are not told beforehand. Throws an
  /// unknown first step, and `badArgument` for a computed property, which nobody writes.
  @discardableResult
  public func observePrior(
    _ object: DataObject, _ path: String,
    _ body: @escaping (_ new: Value, _ old: Value) throws -> Void
  ) throws -> Belonging {
    let end = try BindingEnd(object, Path(path))
    if let property = end.property, property.isDerived {
      throw TideError(
        .badArgument,
        "\(table.graph.name(of: property)) is computed; a call before the write needs a property "
          + "that is written")
    }
    let observer = PriorObserver(end.object, end.path.steps, in: table, body)
    observer.follow()
    guard end.path.steps.count > 1 else {
      return own(setEnabled: { observer.isEnabled = $0 }) { observer.end() }
    }
    let followed = effect { observer.follow() }
    return own(setEnabled: { observer.isEnabled = $0 }) {
      followed.cancel()
      observer.end()
    }
  }
}

extension BindingTable {
  func addPrior(_ observer: PriorObserver, at slot: Slot) {
    priors[slot.index, default: []].append(observer)
    slot.pointee.access |= Access.prior
    lookAtCopies(to: slot)
  }

  func removePrior(_ observer: PriorObserver, at slot: Slot) {
    guard var rest = priors[slot.index] else { return }
    rest.removeAll { $0 === observer }
    priors[slot.index] = rest.isEmpty ? nil : rest
    if rest.isEmpty { slot.pointee.access &= ~Access.prior }
  }

  /// Tells those who want to know before a slot changes.
  @inline(__always)
  func willChange(_ slot: Slot, to value: @autoclosure () -> Value) {
    if _slowPath(slot.pointee.access & Access.prior != 0) { tellPriors(of: slot, value()) }
  }

  @inline(never)
  private func tellPriors(of slot: Slot, _ value: Value) {
    if slot.load() == value { return }
    for observer in priors[slot.index] ?? [] { observer.willChange(slot, to: value) }
  }

  /// Bindings that were made to copy past everybody are given a carrier that looks.
  private func lookAtCopies(to slot: Slot) {
    for edge in graph.dependencies(of: slot) where graph.copies(edge) {
      let carrier = Carrier(self, through: nil, source: .slot, options: BindingOptions())
      carrier.property = slot
      graph.give(carrier, to: edge)
    }
  }
}
