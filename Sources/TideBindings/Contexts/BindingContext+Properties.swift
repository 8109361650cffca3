import CTideSlots
public import TideGraph

extension BindingContext {
  /// Binds a property to another one of its type.
  ///
  /// ```swift
  /// context.bind(person.$name, to: label.$text)
  /// ```
  ///
  /// If one of them belongs to another actor, thread or runtime, an error of code `graph` is
  /// listed, and the returned binding has ended.
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

  /// Binds a property to another one through a function.
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

  /// Binds two properties both ways, so that they stay equal. At first the second takes the first's
  /// value.
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

  /// Binds integer properties through a function, which is called without generic overhead.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Int>, to target: PropertyReference<Int>, initial: Bool = true,
    _ transform: @escaping (Int) -> Int
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in IntegerTransfer(table, transform) }
  }

  /// Binds text properties through a function, which is called without generic overhead.
  @discardableResult
  public func bind(
    _ source: PropertyReference<String>, to target: PropertyReference<String>,
    initial: Bool = true, _ transform: @escaping (String) -> String
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in TextTransfer(table, transform) }
  }

  /// Binds floating-point properties through a function, which is called without generic overhead.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Double>, to target: PropertyReference<Double>,
    initial: Bool = true, _ transform: @escaping (Double) -> Double
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in NumberTransfer(table, transform) }
  }

  /// Binds properties of any type through a function on values.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Value>, to target: PropertyReference<Value>, initial: Bool = true,
    _ transform: @escaping (Value) -> Value
  ) -> Binding {
    connect(source, target, initial: initial) { table, _ in ValueTransfer(table, transform) }
  }

  /// If an end belongs to another graph, lists the error and returns an ended binding.
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
      // The target joins last, so that a binding that cannot be made claims no object.
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

  /// Calls a function with the new and the old value of a property, after everything has settled.
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
