public import TideGraph
import TideValues

extension BindingContext {
  /// Binds a property to another one of its type, both named by key paths.
  ///
  /// ```swift
  /// try context.bind(person, \.name, to: label, \.text)
  /// ```
  ///
  /// With `person.$name` in place of a key path, the compiler checks this.
  ///
  /// - Throws: `notOneProperty` for a key path that is not one observable property; `graph` if one
  ///   of the two belongs to another actor, thread or runtime.
  @discardableResult
  public func bind<Left: DataObject, Right: DataObject, Content: TideConvertible>(
    _ source: Left, _ sourcePath: KeyPath<Left, Content>,
    to target: Right, _ targetPath: KeyPath<Right, Content>, initial: Bool = true
  ) throws -> Binding {
    try admit(source, target)
    return bind(
      try source.reference(sourcePath), to: try target.reference(targetPath), initial: initial)
  }

  /// Binds a property to another one through a function.
  ///
  /// - Throws: `notOneProperty` or `graph`, as for properties of one type.
  @discardableResult
  public func bind<Left: DataObject, Right: DataObject, In: TideConvertible, Out: TideConvertible>(
    _ source: Left, _ sourcePath: KeyPath<Left, In>,
    to target: Right, _ targetPath: KeyPath<Right, Out>, initial: Bool = true,
    _ transform: @escaping (In) -> Out
  ) throws -> Binding {
    try admit(source, target)
    return bind(
      try source.reference(sourcePath), to: try target.reference(targetPath), initial: initial,
      transform)
  }

  /// Keeps two properties of one type in step; at first the second takes the first's value.
  ///
  /// - Throws: `notOneProperty` or `graph`, as for a binding one way.
  @discardableResult
  public func bind<Left: DataObject, Right: DataObject, Content: TideConvertible>(
    _ left: Left, _ leftPath: KeyPath<Left, Content>,
    with right: Right, _ rightPath: KeyPath<Right, Content>, initial: Bool = true
  ) throws -> Binding {
    try admit(left, right)
    return bind(
      try left.reference(leftPath), with: try right.reference(rightPath), initial: initial)
  }

  /// Binds a property to another one through a transformer.
  ///
  /// ```swift
  /// try context.bind(person, \.name, to: label, \.text, through: .capitalized)
  /// ```
  ///
  /// - Throws: `notOneProperty` or `graph`, as without a transformer; `readOnly` for a target that
  ///   cannot be written.
  @discardableResult
  public func bind<
    Left: DataObject, Right: DataObject, In: TideConvertible,
    Out: TideConvertible
  >(
    _ source: Left, _ sourcePath: KeyPath<Left, In>,
    to target: Right, _ targetPath: KeyPath<Right, Out>,
    through transformer: Transformer<In, Out>, initial: Bool = true
  ) throws -> Binding {
    try admit(source, target)
    return try bind(
      source.reference(sourcePath).end, .right, target.reference(targetPath).end,
      AnyTransformer("transformer", transformer), initial: initial)
  }

  /// Keeps two properties in step through a transformer with a reverse; at first the second takes
  /// the first's value.
  ///
  /// ```swift
  /// try context.bind(person, \.name, with: field, \.text, through: .trimmed)
  /// ```
  ///
  /// An end is written only if the other end's value, transformed, differs from the value that this
  /// end holds: a name typed with a trailing blank stays as it was typed.
  ///
  /// - Throws: `irreversible` for a transformer without a reverse; `notOneProperty`, `graph` or
  ///   `readOnly`, as for a binding one way.
  @discardableResult
  public func bind<
    Left: DataObject, Right: DataObject, In: TideConvertible,
    Out: TideConvertible
  >(
    _ left: Left, _ leftPath: KeyPath<Left, In>,
    with right: Right, _ rightPath: KeyPath<Right, Out>,
    through transformer: Transformer<In, Out>, initial: Bool = true
  ) throws -> Binding {
    try admit(left, right)
    return try bind(
      left.reference(leftPath).end, .both, right.reference(rightPath).end,
      AnyTransformer("transformer", transformer), initial: initial)
  }

  private func bind(
    _ left: (object: DataObject, name: String), _ arrow: Arrow,
    _ right: (object: DataObject, name: String), _ transformer: AnyTransformer, initial: Bool
  ) throws -> Binding {
    var options = BindingOptions()
    options.initial = initial
    options.transformers = [transformer]
    let expression = BindingExpression(
      left: Path(steps: [.property(left.name)]), arrow: arrow,
      right: Path(steps: [.property(right.name)]))
    return try bind(expression, text: nil, left.object, right.object, options)
  }

  /// Calls a function with a property's new and former value, after each change has settled;
  /// with `initial` also at once, and then without an old value.
  ///
  /// - Throws: `notOneProperty` for a key path that is not one observable property;
  ///   `graph` for an object of another actor, thread or runtime.
  @discardableResult
  public func observe<Object: DataObject, Content: TideConvertible>(
    _ object: Object, _ path: KeyPath<Object, Content>, initial: Bool = false,
    _ body: @escaping (_ new: Content, _ old: Content?) -> Void
  ) throws -> ContextEntry {
    try join(near: object.firstSlot).admitHere(object)
    return observe(try object.reference(path), initial: initial, body)
  }

  /// Lets both objects of a binding join the graph, before their properties are looked up.
  private func admit(_ left: DataObject, _ right: DataObject) throws(TideError) {
    let table = try join(near: left.firstSlot, right.firstSlot)
    try table.admitHere(left)
    try table.admitHere(right)
  }
}

/// Key path operations of every object, with its own type.
///
/// ```swift
/// let name = try person.reference(\.name)
/// context.bind(name, to: label.$text)
/// ```
public protocol KeyPathBindable: DataObject {}

extension DataObject: KeyPathBindable {}

extension KeyPathBindable {
  /// The property that a key path reads. It is found by reading the key path once while recording.
  ///
  /// - Throws: `notOneProperty` for a key path that is not one observable property: it reads none
  ///   or several, or derives a value from one, as `\.name.count` does; `graph` for an object of
  ///   another actor, thread or runtime.
  public func reference<Content: TideConvertible>(
    _ path: KeyPath<Self, Content>
  ) throws -> PropertyReference<Content> {
    let graph = graph
    if !graph.isHere { throw TideError.otherGraph("\(label.inMessage) belongs to", graph) }
    let read = graph.slotsRead { _ = self[keyPath: path] }
    guard read.count == 1 else {
      throw TideError(
        .notOneProperty,
        "\(path) reads \(read.isEmpty ? "no" : "\(read.count)") observable properties; a binding "
          + "needs exactly one")
    }
    guard graph.untracked({ gives(read[0], path) }) else {
      let name = graph.name(of: read[0])
      throw TideError(
        .notOneProperty,
        "\(path) is made of the property \(name), but is not that property; name the property in a "
          + "binding expression, which gives what scripts see of it")
    }
    return PropertyReference(slot: read[0])
  }

  /// Whether a key path returns exactly what a slot holds: a probe that is stored in the slot for a
  /// moment must be read back unchanged.
  private func gives<Content: TideConvertible>(
    _ slot: Slot, _ path: KeyPath<Self, Content>
  ) -> Bool {
    let held = slot.load()
    let scratch = graph.makeSource(.null)
    defer { graph.dispose(scratch) }
    func roundTrips(_ value: Value) -> Bool {
      Content.store(self[keyPath: path], in: scratch)
      return scratch.load().mayEqual(value)
    }
    guard let probe = Self.probe(Content.self) else { return roundTrips(held) }
    return graph.keepingHistory(of: slot) {
      _ = slot.store(probe)
      defer { _ = slot.store(held) }
      return roundTrips(probe)
    }
  }

  /// A value that hardly any function leaves unchanged; nil for types that may not accept every
  /// value.
  private static func probe<Content: TideConvertible>(_ type: Content.Type) -> Value? {
    switch type {
    case is String.Type, is String?.Type: "  aB\u{1}probe "
    case is Int.Type, is Int?.Type: .integer(-7_340_033_123)
    case is Double.Type, is Double?.Type: .number(-7_340_033_123.25)
    default: nil
    }
  }
}
