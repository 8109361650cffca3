public import TideGraph

/// Represents a transformed property of another object, as a data object with one property `value`.
///
/// ```swift
/// let price = try ValueReference(item, "price", through: .init("cents", cents))
/// try context.bind("value <> text", price, field)
/// ```
///
/// Reading `value` reads the property and applies the transformers. Writing it applies their
/// reverses, in reverse order, and writes the property. It is read-only if a transformer has no
/// reverse, or if the end of the path is read-only. It may refer to the `value` of another
/// reference.
///
/// A binding of `value` is a binding of the property itself, with these transformers in addition to
/// its own. It does not keep the reference alive, and may outlive it.
public final class ValueReference: DataObject {
  // Retained manually for `ChainedRelease`: references may refer to each other to any depth.
  private let held: Unmanaged<DataObject>
  let path: Path
  let transformers: [AnyTransformer]
  private let forward: AnyTransformer.Function?
  private let backward: AnyTransformer.Function?
  private var memory: PathMemory?
  private let heldPath: CountedText?

  /// Makes a reference to the end of a path from an object.
  ///
  /// - Throws: `syntax` or another code of paths for an invalid path, `unknownProperty` for a first
  ///   step that does not exist.
  public convenience init(
    _ object: DataObject, _ path: String, through transformers: AnyTransformer...
  ) throws {
    try self.init(object, path, transformers: transformers)
  }

  /// Makes a reference to a property that a key path names.
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

  /// The depth of its nested writes.
  private var writing = 0
  /// Transformers may write the reference in turn, but only a cycle reaches this depth.
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
    // A proxy property represents the property of all selected objects.
    if holder is ProxyProperty { name = "value" }
    guard !transformers.isEmpty, let index = holder.shape.index(of: name) else {
      return try holder.set(name, value)
    }
    // Results of transformers are converted, as in a binding.
    let property = holder.description(ofProperty: index)
    let converted =
      property.cases == nil
      ? try holder.converted(
        property.type == .integer ? value.withoutRounding : value, to: property, at: index) : value
    try holder.set(name, converted)
  }
}

/// Reads a reference's property whenever something on its path has changed.
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
