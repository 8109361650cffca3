import TideGraph

/// Carries a value of one Swift type to a property of another, without boxing.
class AnyTypedTransfer<Out: TideConvertible>: TransformBody {
  private unowned(unsafe) let table: BindingTable

  init(_ table: BindingTable) { self.table = table }

  @inline(__always)
  final func store(_ value: consuming Out, in target: Slot, _ edge: EdgeIndex) -> Bool {
    // Only Boolean properties are shared. The test would slow down other types by a third.
    let isShared = Out.self == Bool.self && sharesTarget
    if _fastPath(!Graph.needsConsent(target) && !isShared) {
      return Out.store(value, in: target)
    }
    if isShared, let combination = target.combination {
      return storeShared(value, in: target, edge, combination)
    }
    return storeWithConsent(value, in: target, edge)
  }

  /// Writes the combination of this binding and the others that share the property.
  @inline(never)
  private func storeShared(
    _ value: consuming Out, in target: Slot, _ edge: EdgeIndex, _ combination: Combination
  ) -> Bool {
    let graph = table.graph
    let scratch = graph.makeSource(.null)
    defer { graph.dispose(scratch) }
    Out.store(value, in: scratch)
    let flag = scratch.load() == true
    return target.store(
      .boolean(table.combined(flag, of: graph.owner(of: edge), at: target, combination)))
  }

  @inline(never)
  private func storeWithConsent(_ value: Out, in target: Slot, _ edge: EdgeIndex) -> Bool {
    let owner = table.graph.owner(of: edge)
    do {
      try Validator<Out>.write(value, to: target)
      table.succeed(owner)
    } catch {
      var failure = TideError(wrapping: error, graph: table.graph)
      let source = table.graph.source(of: edge).blockHeader?.block as? DataObject
      failure.isOfEdit = failure.code == .refused && source?.takesEdits == true
      table.fail(owner, failure)
    }
    return false
  }
}

final class TypedTransfer<In: TideConvertible, Out: TideConvertible>: AnyTypedTransfer<Out> {
  private let transform: (In) -> Out

  init(_ table: BindingTable, _ transform: @escaping (In) -> Out) {
    self.transform = transform
    super.init(table)
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    store(transform(In.load(source)), in: target, edge)
  }
}

// A generic class calls its function through a thunk, which takes half the time of a transfer. The
// most common types therefore have transfers of their own.

final class IntegerTransfer: AnyTypedTransfer<Int> {
  private let transform: (Int) -> Int

  init(_ table: BindingTable, _ transform: @escaping (Int) -> Int) {
    self.transform = transform
    super.init(table)
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    store(transform(Int.load(source)), in: target, edge)
  }
}

final class NumberTransfer: AnyTypedTransfer<Double> {
  private let transform: (Double) -> Double

  init(_ table: BindingTable, _ transform: @escaping (Double) -> Double) {
    self.transform = transform
    super.init(table)
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    store(transform(Double.load(source)), in: target, edge)
  }
}

final class TextTransfer: AnyTypedTransfer<String> {
  private let transform: (String) -> String

  init(_ table: BindingTable, _ transform: @escaping (String) -> String) {
    self.transform = transform
    super.init(table)
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    store(transform(String.load(source)), in: target, edge)
  }
}

/// For values of any type.
final class ValueTransfer: AnyTypedTransfer<Value> {
  private let transform: (Value) -> Value

  init(_ table: BindingTable, _ transform: @escaping (Value) -> Value) {
    self.transform = transform
    super.init(table)
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    store(transform(source.load()), in: target, edge)
  }
}
