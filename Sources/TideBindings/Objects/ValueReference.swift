public import TideGraph

/// Stands in for a property of another object, transformed: a data object with one property
/// `value`.
///
/// ```swift
/// let price = try ValueReference(item, "price", through: .init("cents", cents))
/// try context.bind("value <> text", price, field)
/// ```
///
/// Reading `value` reads the property and applies the transformers; writing it takes them back, in
/// reverse order, and writes the property. It is read only where a transformer has no reverse, or
/// the path ends in something that is only read. It may stand in for another one's `value`.
///
/// A binding of `value` is a binding of the property itself with these transformers beside its own:
/// it does not keep the reference alive, and outlives it.
public final class ValueReference: DataObject {
  // Retained manually for `ChainedRelease`: references may refer to each other to any depth.
  private let held: Unmanaged<DataObject>
  let path: Path
  let transformers: [AnyTransformer]
  private let forward: AnyTransformer.Function?
  private let backward: AnyTransformer.Function?
  private var memory: PathMemory?
  private let heldPath: CountedText?

  /// Makes a reference to what a path from an object leads to.
  ///
  /// - Throws: `syntax` or another code of paths for what is none, `unknownProperty` for a first
  ///   step that does not exist.
  public convenience init(
    _ object: DataObject, _ path: String, through transformers: AnyTransformer...
  ) throws {
    try self.init(object, path, transformers: transformers)
  }

  /// The same with a key path of one observable property.
  ///
  /// - Throws: `notOneProperty` for a key path that is not one observable property.
  public convenience init<Object: DataObject, Content: TideConvertible>(
    _ object: Object, _ path: KeyPath<Object, Content>, through transformers: AnyTransformer...
  ) throws {
    let end = try object.reference(path).end
    try self.init(end.object, end.name, transformers: transformers)
  }

  package init(_ object: DataObject, _ text: String, transformers: [AnyTransformer]) throws {
    let end = try Endpoint(object, Path(text))
    path = end.path
    self.transformers = transformers
    heldPath = BindingTable.of(object.graph).hold(path.nameBytes)
    forward = try TransformChain(transformers, for: .right).rightward
    let isReversible = transformers.allSatisfy { $0.reverse != nil }
    backward = isReversible ? try TransformChain(transformers, for: .left).leftward : nil
    var isWritable = isReversible
    do { try end.checkWritable() } catch { isWritable = false }
    // Last: a throw after it would leak the object.
    held = Unmanaged.passRetained(object)
    super.init(shape: isWritable ? Self.writable : Self.readable)
  }

  deinit { ChainedRelease.release(held) }

  var base: DataObject { held._withUnsafeGuaranteedRef { $0 } }

  private static let writable = shape { reference, value in try reference.write(value) }
  private static let readable = shape(nil)

  private static func shape(
    _ write: (@Sendable (ValueReference, Value) throws -> Void)?
  ) -> Shape {
    var value = PropertyDescription("value", .any, isReadOnly: write == nil)
    value.derive = { object in
      (object as? ValueReference).map(ReferenceBody.init) ?? ComputedBody()
    }
    if let write {
      value.assign = { object, value in
        if let reference = object as? ValueReference { try write(reference, value) }
      }
    }
    return Shape(name: "ref", properties: [value])
  }

  fileprivate func read() throws -> Value {
    let value = try PathReader.read(path.steps[...], from: base, keeping: &memory).value
    return try forward?(value) ?? value
  }

  /// How many of its writes are under way within each other.
  private var writing = 0
  /// Transformers may write it in turn, but none do so to this depth unless they go round.
  private static let mostWriting = 100

  private func write(_ value: Value) throws {
    guard writing < Self.mostWriting else {
      throw TideError(.cycle, "\(path) of \(base.label) leads back to the reference itself")
    }
    if graph.isStackLow() { throw DepthError() }
    writing += 1
    defer { writing -= 1 }
    let value = try backward?(value) ?? value
    if value.isUnchanged { return }
    var held = Value.null
    if let name = path.steps.last?.propertyName {
      held = try graph.untracked {
        try PathReader.holder(of: path.steps.dropLast(), named: name, from: base)
      }
    }
    guard case .object(let holder as DataObject) = held, var name = path.steps.last?.propertyName
    else {
      throw TideError(
        .unresolvedName, "\(path) of \(base.label) leads over nil, so there is nothing to write to")
    }
    // What stands in for the property of all that are selected.
    if holder is ProxyProperty { name = "value" }
    guard !transformers.isEmpty, let index = holder.shape.index(of: name) else {
      return try holder.set(name, value)
    }
    // What transformers give is converted, as in a binding.
    let property = holder.description(ofProperty: index)
    let converted =
      property.cases == nil
      ? try holder.converted(
        property.type == .integer ? value.withoutRounding : value, to: property, at: index) : value
    try holder.set(name, converted)
  }
}

/// Reads a reference's property whenever something on the way has changed.
private final class ReferenceBody: ComputedBody {
  private unowned(unsafe) let reference: ValueReference

  init(_ reference: ValueReference) { self.reference = reference }

  override func evaluate(_ slot: Slot) throws -> Bool {
    let value = try reference.read()
    return value.isUnchanged ? false : slot.store(value)
  }
}

extension PropertyReference {
  /// The object and the property's name.
  var end: (object: DataObject, name: String) {
    get throws {
      guard let header = slot.blockHeader, let object = header.block as? DataObject else {
        throw TideError(.notOneProperty, "this property belongs to no object")
      }
      return (object, object.shape.propertiesByIndex[slot - header - 1].name)
    }
  }
}
