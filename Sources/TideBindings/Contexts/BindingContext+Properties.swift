import CTideSlots
public import TideGraph

extension BindingContext {
  /// Lets a property follow another one of its type.
  ///
  /// ```swift
  /// context.bind(person.$name, to: label.$text)
  /// ```
  ///
  /// Where one of the two belongs to another actor, thread or runtime, an error of code `graph` is
  /// listed, and the binding has ended.
  @discardableResult
  public func bind<Content: TideConvertible>(
    _ source: PropertyReference<Content>, to target: PropertyReference<Content>,
    initial: Bool = true
  ) -> Binding {
    connect(source, target, initial: initial) { table, target in
      let isPlain = !Graph.needsConsent(target) && target.combination == nil
      return isPlain ? nil : TypedTransfer<Content, Content>(table) { $0 }
    }
  }

  /// Lets a property follow another one through a function.
  ///
  /// ```swift
  /// context.bind(person.$age, to: label.$text) { "\($0) years" }
  /// ```
  @discardableResult
  public func bind<In: TideConvertible, Out: TideConvertible>(
    _ source: PropertyReference<In>, to target: PropertyReference<Out>, initial: Bool = true,
    _ transform: @escaping (In) -> Out
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in TypedTransfer(table, transform) }
  }

  /// Keeps two properties equal, whichever is written; at first the second takes the first's value.
  @discardableResult
  public func bind<Content: TideConvertible>(
    _ left: PropertyReference<Content>, with right: PropertyReference<Content>,
    initial: Bool = true
  ) -> Binding {
    let binding = bind(left, to: right, initial: initial)
    guard binding.isAlive else { return binding }
    let first = left.slot, last = right.slot
    let body = Graph.needsConsent(first) ? TypedTransfer<Content, Content>(table) { $0 } : nil
    let edge = table.graph.connect(
      last, to: first, through: body, owner: binding.index, isReverse: true)
    table.record(binding.index).pointee.reverse = edge
    if !isEnabled { applyEnabled(to: binding.index) }
    return binding
  }

  /// The same for whole numbers, whose function is called without a detour through generics.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Int>, to target: PropertyReference<Int>, initial: Bool = true,
    _ transform: @escaping (Int) -> Int
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in IntegerTransfer(table, transform) }
  }

  /// The same for text.
  @discardableResult
  public func bind(
    _ source: PropertyReference<String>, to target: PropertyReference<String>,
    initial: Bool = true, _ transform: @escaping (String) -> String
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in TextTransfer(table, transform) }
  }

  /// The same for floating-point numbers.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Double>, to target: PropertyReference<Double>,
    initial: Bool = true, _ transform: @escaping (Double) -> Double
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in NumberTransfer(table, transform) }
  }

  /// The same for values of any type.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Value>, to target: PropertyReference<Value>, initial: Bool = true,
    _ transform: @escaping (Value) -> Value
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in ValueTransfer(table, transform) }
  }

  /// Where an end belongs to somebody else, the error is listed, and the binding has ended.
  @inline(__always)
  private func connect<In: TideConvertible, Out: TideConvertible>(
    _ first: PropertyReference<In>, _ last: PropertyReference<Out>, initial: Bool,
    _ makeBody: (BindingTable, Slot) -> TransformBody?
  ) -> Binding {
    let table: BindingTable, source: Slot, target: Slot
    do throws(TideError) {
      table = try join(near: first.unjoinedSlot, last.unjoinedSlot)
      let graph = table.graphReference, arena = table.arena
      source = first.slot(joining: graph)
      if _slowPath(tide_arena_of(source) != arena) { throw table.refusal(of: source) }
      // Only now, so that a binding which cannot be made claims no object.
      target = last.slot(joining: graph)
      if _slowPath(tide_arena_of(target) != arena) { throw table.refusal(of: target) }
    } catch {
      return Binding(0, refuse(error))
    }
    let body = makeBody(table, target)
    let record = table.makeRecord(.binding, in: self)
    if let body, target.combination != nil { body.sharesTarget = true }
    table.withGraph { graph in
      try? graph.refresh(source)
      let edge = graph.connect(source, to: target, through: body, owner: record)
      table.record(record).pointee.edge = edge
      if isEnabled {
        if !initial { return }
        if body == nil { graph.copyFirst(source, to: target) } else { graph.fire(edge) }
      } else {
        applyEnabled(to: record)
        if initial { graph.markMissed(edge) }
      }
    }
    return Binding(record, table)
  }

  /// Calls a function with the new and the old value of a property, after everything settled.
  @discardableResult
  public func observe<Content: TideConvertible>(
    _ source: PropertyReference<Content>, initial: Bool = false,
    _ body: @escaping (_ new: Content, _ old: Content?) -> Void
  ) -> ContextEntry {
    let table: BindingTable, slot: Slot
    do throws(TideError) {
      table = try join(near: source.unjoinedSlot)
      slot = try table.admitHere(source)
    } catch {
      return ContextEntry(0, refuse(error))
    }
    let graph = table.graph
    try? graph.refresh(slot)
    if initial { graph.untracked { body(Content.load(slot), nil) } }
    return observe(slot, initial: false) { _, old in
      Nursery.withScratch(old) { body(Content.load(slot), Content.load($0)) }
    }
  }
}
