public import TideGraph

/// A proxy for the selected objects of a controller, with their properties.
///
/// ```swift
/// people.selection["name"]          // "Ada", or a marker: noSelection, multipleValues, …
/// try people.selection.assign("name", "Eve")     // writes to all that are selected
/// ```
///
/// If the selected objects agree, a property has their value, else the marker `multipleValues`.
/// Without a selection it is `noSelection`. It is `notApplicable` if a selected object lacks the
/// property but other objects of the controller have it; a name that no object has is an error. A
/// path through the selection is followed from each object to its end, so two people with different
/// addresses in one city agree on `address.city`.
///
/// A write is offered to every selected object's validator first; when one refuses, none is
/// written. The objects are compared one after the other until two differ.
public final class SelectionProxy: ControllerPart {
  private let owner: ObjectHandle
  /// The proxy properties by path, for the lifetime of the selection.
  private var proxyProperties: [[PathStep]: ProxyProperty] = [:]
  /// The validated values of the write that follows.
  private var admitted: (steps: [PathStep], values: [Value])?

  private static let proxyShape = Shape(name: "selection", properties: [])

  init(of controller: ObjectController) {
    owner = ObjectHandle(controller)
    super.init(shape: Self.proxyShape)
  }

  package var controller: ObjectController? { owner.object as? ObjectController }

  // MARK: Reading

  /// The value that the selected objects share, or a marker.
  ///
  /// - Throws: `unknownProperty` for a name that none of the controller's objects has, `cycle` if
  ///   the selection leads back to itself, and the error of reading the property.
  public override func dynamicValue(of name: String) throws -> Value? {
    try combined([.property(name)]).value
  }

  package override func readThrough(_ steps: ArraySlice<PathStep>) throws -> PathReader.Result? {
    try combined(steps)
  }

  private func combined(_ steps: ArraySlice<PathStep>) throws -> PathReader.Result {
    try nested { try combine(steps) }
  }

  /// The depth of its nested reads and writes.
  private var nesting = 0
  /// Selected objects may read the selection in turn, but only a cycle reaches this depth.
  private static let mostNested = 100

  /// Throws if the selection leads back to itself, or if the nesting is too deep for the stack.
  private func nested<Result>(_ body: () throws -> Result) throws -> Result {
    guard nesting < Self.mostNested else {
      let name = controller?.label ?? "a controller"
      throw TideError(.cycle, "the selection of \(name) leads back to itself")
    }
    if graph.isStackLow() { throw DepthError() }
    nesting += 1
    defer { nesting -= 1 }
    return try body()
  }

  private func combine(_ steps: ArraySlice<PathStep>) throws -> PathReader.Result {
    guard let controller else { return PathReader.Result(value: Marker.noSelection.value) }
    if let held = controller.heldEdit(at: steps) { return PathReader.Result(value: held) }
    let isMarked = controller.prefersMarker
    var result: PathReader.Result?
    var holders = Hasher()
    try controller.visitSelected { value in
      if isMarked, result != nil {
        result = PathReader.Result(value: Marker.multipleValues.value)
        return false
      }
      let found: PathReader.Result
      do {
        found = try Self.read(steps, from: value)
      } catch let error as TideError where error.code == .unknownProperty {
        guard graph.untracked({ controller.hasObject { Self.knows(steps, $0) } }) else {
          throw error
        }
        result = PathReader.Result(value: Marker.notApplicable.value)
        return false
      }
      if let known = result, known.value != found.value {
        result = PathReader.Result(value: Marker.multipleValues.value)
        return false
      }
      holders.combine(found.holder)
      result = result ?? found
      return true
    }
    result?.holder = holders.finalize()
    return result ?? PathReader.Result(value: Marker.noSelection.value)
  }

  /// Identifies the last objects reached by a path that cannot be read to its end.
  func reached(_ steps: ArraySlice<PathStep>) -> Int {
    var holders = Hasher()
    try? nested {
      controller?.visitSelected { value in
        guard case .object(let object as DataObject) = value else { return true }
        holders.combine(PathReader.reached(steps, from: object))
        return true
      }
    }
    return holders.finalize()
  }

  /// Throws `unknownProperty` where the object has no such property.
  private static func read(
    _ steps: ArraySlice<PathStep>, from value: Value
  ) throws -> PathReader.Result {
    guard case .object(let object as DataObject) = value else {
      let name = steps.first.map(\.description) ?? ""
      throw TideError(
        .unknownProperty, "\(value.typePhrase) is selected, which has no property \"\(name)\"")
    }
    return try PathReader.read(steps, from: object)
  }

  /// Whether an object has the properties of a path.
  private static func knows(_ steps: ArraySlice<PathStep>, _ value: Value) -> Bool {
    do {
      _ = try read(steps, from: value)
      return true
    } catch {
      return (error as? TideError)?.code != .unknownProperty
    }
  }

  // MARK: Writing

  /// Writes a property, or the end of a path, of every selected object.
  ///
  /// - Throws: the error of a validator or a conversion, in which case nothing is written;
  ///   `refused` if nothing is selected or the path is unresolved; `readOnly` if the controller or
  ///   the property cannot be edited; `unknownProperty`; `syntax` or another path error for an
  ///   invalid path.
  public func assign(_ path: String, _ value: Value) throws {
    let proxyProperty = proxyProperty(for: try Path(path).steps)
    try proxyProperty?.set("value", value)
  }

  package override func proxyProperty(for steps: [PathStep]) -> ProxyProperty? {
    if let known = proxyProperties[steps] { return known }
    let made = ProxyProperty(self, steps)
    proxyProperties[steps] = made
    return made
  }

  package override func describeThrough(_ steps: [PathStep]) -> PropertyDescription? {
    try? nested { () -> PropertyDescription? in
      guard case .property(let object, let index)? = try destinations(of: steps, limit: 1).first
      else {
        return nil
      }
      return object.description(ofProperty: index)
    }
  }

  package override func admitThrough(_ steps: [PathStep], _ value: Value) throws -> Value {
    guard let controller else { return value }
    try controller.checkEditable()
    if controller.holdsOwnEdits { return value }
    let values = try nested { try destinations(of: steps).map { try $0.checked(value) } }
    admitted = (steps, values)
    // If all objects store the same value, the field that it came from shows that value.
    guard let first = values.first else { return value }
    return values.allSatisfy { $0 == first } ? first : value
  }

  package override func writeThrough(_ steps: [PathStep], _ value: Value) throws {
    guard let controller else { return }
    if controller.holdsOwnEdits { return controller.hold(value, at: steps) }
    try nested { try write(value, at: destinations(of: steps), as: steps) }
  }

  private func write(_ value: Value, at destinations: [Destination], as steps: [PathStep]) throws {
    let known = admitted?.steps == steps ? admitted?.values : nil
    admitted = nil
    let values =
      try known?.count == destinations.count
      ? known ?? [] : destinations.map { try $0.checked(value) }
    try graph.batch {
      for (destination, value) in zip(destinations, values) {
        switch destination {
        case .property(let object, let index):
          _ = try object.store(index, value, settling: true)
        case .entry(let object, let name): _ = try object.setDynamicValue(value, of: name)
        }
      }
    }
  }

  /// The destinations of a path from each selected object; empty if any object has none.
  func present(at steps: [PathStep]) -> [Destination] { (try? destinations(of: steps)) ?? [] }

  /// The destinations of a path from each selected object. Throws if any object has none.
  private func destinations(of steps: [PathStep], limit: Int = .max) throws -> [Destination] {
    guard case .property(let name)? = steps.last else {
      let text = steps.map(\.description).joined(separator: ".")
      throw TideError(.readOnly, "\(text) of a selection can be read but not written")
    }
    var objects: [Value] = []
    graph.untracked {
      controller?.visitSelected { value in
        objects.append(value)
        return objects.count < limit
      }
    }
    if objects.isEmpty {
      throw TideError(.refused, "nothing is selected, so there is no \(name) to write")
    }
    return try graph.untracked {
      try objects.map { value in
        guard case .object(let object as DataObject) = value else {
          throw TideError(
            .unknownProperty, "\(value.typePhrase) is selected, which has no property \"\(name)\"")
        }
        let held = try PathReader.holder(of: steps.dropLast(), named: name, from: object)
        guard case .object(let holder as DataObject) = held else {
          throw TideError(
            .refused, "a selected \(object.label) has nothing whose \(name) could be written")
        }
        if holder is ProxyProperty { return .property(holder, 0) }
        guard let destination = Destination(name, of: holder) else {
          throw holder.unknownProperty(name)
        }
        return destination
      }
    }
  }
}

extension Destination {
  /// The value that a write would store. Throws if the destination is not writable.
  fileprivate func checked(_ value: Value) throws -> Value {
    guard case .property(let object, let index) = self else { return value }
    let property = object.shape.propertiesByIndex[index]
    if property.isReadOnly || (property.derive != nil && property.assign == nil) {
      throw TideError(.readOnly, "\(object.label).\(property.name) is read only")
    }
    return try object.admitted(index, value)
  }
}

extension SelectionProxy: DescribedObject {
  package var describedText: String {
    let count = graph.untracked { controller?.selectedValues.count ?? 0 }
    return count == 1 ? "selection of 1 object" : "selection of \(count) objects"
  }
}
