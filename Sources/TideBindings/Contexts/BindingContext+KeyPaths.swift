public import TideGraph

extension BindingContext {
  /// Lets a property follow another one of its type, both named by key paths.
  ///
  /// ```swift
  /// try context.bind(person, \.name, to: label, \.text)
  /// ```
  ///
  /// Throws `notOneProperty` for a key path that reads no observable property, or several;
  /// `person.$name` is checked by the compiler instead.
  @discardableResult
  public func bind<Left: DataObject, Right: DataObject, Content: PropertyValue>(
    _ source: Left, _ sourcePath: KeyPath<Left, Content>,
    to target: Right, _ targetPath: KeyPath<Right, Content>, initial: Bool = true
  ) throws -> Binding {
    bind(
      try source.reference(sourcePath), to: try target.reference(targetPath), initial: initial)
  }

  @discardableResult
  public func bind<Left: DataObject, Right: DataObject, In: PropertyValue, Out: PropertyValue>(
    _ source: Left, _ sourcePath: KeyPath<Left, In>,
    to target: Right, _ targetPath: KeyPath<Right, Out>, initial: Bool = true,
    _ transform: @escaping (In) -> Out
  ) throws -> Binding {
    bind(
      try source.reference(sourcePath), to: try target.reference(targetPath), initial: initial,
      transform)
  }

  @discardableResult
  public func bind<Left: DataObject, Right: DataObject, Content: PropertyValue>(
    _ left: Left, _ leftPath: KeyPath<Left, Content>,
    with right: Right, _ rightPath: KeyPath<Right, Content>, initial: Bool = true
  ) throws -> Binding {
    bind(try left.reference(leftPath), with: try right.reference(rightPath), initial: initial)
  }

  @discardableResult
  public func observe<Object: DataObject, Content: PropertyValue>(
    _ object: Object, _ path: KeyPath<Object, Content>, initial: Bool = false,
    _ body: @escaping (_ new: Content, _ old: Content?) -> Void
  ) throws -> Belonging {
    observe(try object.reference(path), initial: initial, body)
  }
}

/// What every object can do with key paths of its own type.
public protocol KeyPathBindable: DataObject {}

extension DataObject: KeyPathBindable {}

extension KeyPathBindable {
  /// The property that a key path reads, found by reading it once while the graph records.
  public func reference<Content: PropertyValue>(
    _ path: KeyPath<Self, Content>
  ) throws -> PropertyReference<Content> {
    let read = graph.slotsRead { _ = self[keyPath: path] }
    guard read.count == 1 else {
      throw TideError(
        .notOneProperty,
        "\(path) reads \(read.isEmpty ? "no" : "\(read.count)") observable properties; a binding "
          + "needs exactly one")
    }
    return PropertyReference(slot: read[0])
  }
}
