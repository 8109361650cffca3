import CTideSlots
import TideGraph

/// One side of a binding: an object and the path from it.
struct Endpoint {
  let object: DataObject
  let path: Path
  /// The property's index if the path is a single property name. It is cached because looking up a
  /// name takes as long as making an edge.
  private let index: Int?

  /// Checks that the first step exists on the object.
  init(_ object: DataObject, _ path: Path) throws {
    self.object = object
    self.path = path
    guard let name = path.steps.first?.propertyName else {
      index = nil
      return
    }
    let known = object.shape.index(of: name)
    if known == nil, try object.dynamicValue(of: name) == nil { throw object.unknownProperty(name) }
    if path.steps.count == 1, case .property = path.steps[0] { index = known } else { index = nil }
  }

  /// The property's slot if the path is a single property name.
  var property: Slot? { index.map { object.slot($0) } }

  /// Returns a slot that follows the path: the property's own slot if the path is a single name,
  /// else a new node. With `isLate` it is always a node, so that a change is carried only after all
  /// dependents have been invalidated.
  func makeSource(
    in table: BindingTable, record: UInt32, isLate: Bool
  ) -> (Slot, BindingTransfer.Source) {
    if !isLate, let property {
      try? table.graph.refresh(property)
      return (property, .slot)
    }
    let (node, body) = makeNode(in: table, record: record)
    return (node, .path(body))
  }

  /// Makes a node that follows the path and ends the binding when the start object is gone.
  func makeNode(in table: BindingTable, record: UInt32) -> (slot: Slot, body: PathBody) {
    let body = PathBody(path.steps[...], from: object)
    let node = table.graph.makeComputed(body)
    table.makeDetails(for: record).nodes.append(node)
    let generation = table.record(record).pointee.generation
    body.onEnd = { [unowned table] in
      if table.isCurrent(record, generation) { table.end(record) }
    }
    try? table.graph.refresh(node)
    return (node, body)
  }

  /// The steps to the object that holds the last property; nil if that is the start object.
  var parent: ArraySlice<PathStep>? { path.steps.count > 1 ? path.steps.dropLast() : nil }

  /// The name of the property that is written at this end.
  func writtenName() throws -> String {
    guard case .property(let name)? = path.steps.last else {
      throw TideError(.readOnly, "\(path) can be read but not written")
    }
    return name
  }

  func checkWritable() throws {
    _ = try writtenName()
    guard let property else { return }
    guard let index = property.blockHeader.map({ property - $0 - 1 }) else { return }
    let description = object.shape.propertiesByIndex[index]
    if description.isReadOnly || (description.derive != nil && description.assign == nil) {
      throw TideError(.readOnly, "\(object.label).\(description.name) is read only")
    }
  }
}

extension Slot {
  /// Whether it may hold styled text, which plain text properties do not accept unchanged.
  var mayHoldStyledText: Bool {
    guard pointee.type & UInt8(TIDE_TYPE_MASK) == ValueType.string.rawValue,
      let header = blockHeader, let object = header.block as? DataObject
    else { return false }
    let index = self - header - 1
    return object.shape.propertiesByIndex.indices.contains(index)
      && object.shape.propertiesByIndex[index].takesStyledText
  }

  /// Whether its view shows nil by a mark that is no part of the text.
  var marksNull: Bool {
    guard let header = blockHeader, let view = header.block as? any ShowsNull else { return false }
    return view.marksNull(inProperty: self - header - 1)
  }

  /// Whether it may hold nil.
  var mayBeNil: Bool {
    pointee.type & UInt8(TIDE_NULLABLE) != 0
      || pointee.type & UInt8(TIDE_TYPE_MASK) == UInt8(TIDE_TYPE_ANY)
  }

  /// Whether its property may refuse a value, or hold another one in its place.
  var isValidated: Bool { pointee.access & Access.validated != 0 }

  /// Whether a binding may simply copy another slot's value to this one.
  func takesCopies(of source: Slot) -> Bool {
    let special = Access.validated | Access.readOnly | Access.derived | Access.prior
    if pointee.access & special != 0 || source.pointee.access & Access.derived != 0 { return false }
    if pointee.type & UInt8(TIDE_TYPE_MASK) == UInt8(TIDE_TYPE_ANY) { return true }
    return pointee.type == source.pointee.type
      || pointee.type == source.pointee.type | UInt8(TIDE_NULLABLE)
  }
}
