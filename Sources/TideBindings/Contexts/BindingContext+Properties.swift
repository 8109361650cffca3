public import TideGraph

extension BindingContext {
  /// Lets a property follow another one of its type.
  ///
  /// ```swift
  /// context.bind(person.$name, to: label.$text)
  /// ```
  @discardableResult
  public func bind<Content: PropertyValue>(
    _ source: PropertyReference<Content>, to target: PropertyReference<Content>,
    initial: Bool = true
  ) -> Binding {
    let isPlain = !Graph.needsConsent(target.slot) && target.slot.combination == nil
    let body = isPlain ? nil : TypedCarrier<Content, Content>(table) { $0 }
    return connect(source.slot, target.slot, body, initial: initial)
  }

  /// Lets a property follow another one through a function.
  ///
  /// ```swift
  /// context.bind(person.$age, to: label.$text) { "\($0) years" }
  /// ```
  @discardableResult
  public func bind<In: PropertyValue, Out: PropertyValue>(
    _ source: PropertyReference<In>, to target: PropertyReference<Out>, initial: Bool = true,
    _ transform: @escaping (In) -> Out
  ) -> Binding {
    connect(source.slot, target.slot, TypedCarrier(table, transform), initial: initial)
  }

  /// Keeps two properties equal, whichever is written; at first the second takes the first's value.
  @discardableResult
  public func bind<Content: PropertyValue>(
    _ left: PropertyReference<Content>, with right: PropertyReference<Content>,
    initial: Bool = true
  ) -> Binding {
    let binding = bind(left, to: right, initial: initial)
    let body = Graph.needsConsent(left.slot) ? TypedCarrier<Content, Content>(table) { $0 } : nil
    let edge = table.graph.connect(
      right.slot, to: left.slot, through: body, owner: binding.index, isReverse: true)
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
    connect(source.slot, target.slot, IntegerCarrier(table, transform), initial: initial)
  }

  /// The same for text.
  @discardableResult
  public func bind(
    _ source: PropertyReference<String>, to target: PropertyReference<String>,
    initial: Bool = true, _ transform: @escaping (String) -> String
  ) -> Binding {
    connect(source.slot, target.slot, TextCarrier(table, transform), initial: initial)
  }

  /// The same for floating-point numbers.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Double>, to target: PropertyReference<Double>,
    initial: Bool = true, _ transform: @escaping (Double) -> Double
  ) -> Binding {
    connect(source.slot, target.slot, NumberCarrier(table, transform), initial: initial)
  }

  /// The same for values of any type.
  @discardableResult
  public func bind(
    _ source: PropertyReference<Value>, to target: PropertyReference<Value>, initial: Bool = true,
    _ transform: @escaping (Value) -> Value
  ) -> Binding {
    connect(source.slot, target.slot, ValueCarrier(table, transform), initial: initial)
  }

  private func connect(
    _ source: Slot, _ target: Slot, _ body: TransformBody?, initial: Bool
  ) -> Binding {
    table.requireOwn(source)
    table.requireOwn(target)
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
  public func observe<Content: PropertyValue>(
    _ source: PropertyReference<Content>, initial: Bool = false,
    _ body: @escaping (_ new: Content, _ old: Content?) -> Void
  ) -> Belonging {
    try? table.graph.refresh(source.slot)
    let graph = table.graph
    if initial { graph.untracked { body(Content.load(source.slot), nil) } }
    let slot = source.slot
    return observe(slot, initial: false) { _, old in
      let before = graph.makeSource(old)
      defer { graph.dispose(before) }
      body(Content.load(slot), Content.load(before))
    }
  }
}
