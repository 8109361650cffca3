import CTideSlots
public import TideGraph

/// An object with named, observable properties: a model, a view, a list, a controller.
///
/// ```swift
/// final class Person: DataObject {
///   @Property var name = "Ada"
///   @Property var age = 36
/// }
/// let ada = Person()
/// ada.age += 1
/// try ada.set("name", "Ada L.")     // as a script would write it
/// ```
///
/// An object belongs to no graph until it is first bound, observed, exposed to a runtime, or read
/// by code whose reads are recorded. Then it joins the graph of that actor or thread, and may only
/// be used there; until then it may be sent anywhere. It may be released on any thread. A
/// subclass's initializer calls `super.init()` after its properties have their first values.
nonisolated open class DataObject: Block {
  /// The names and types of its properties.
  public private(set) final var shape: Shape

  /// For classes that declare their properties with `@Property` and `@Computed`.
  public nonisolated override init() {
    shape = Self.unknownShape
    super.init()
    shape = takeDeclaredProperties()
  }

  /// For objects whose properties are described by a shape.
  package init(shape: Shape) {
    self.shape = shape
    super.init(valueCount: shape.propertiesByIndex.count + shape.hiddenSlots)
    begin()
  }

  /// For objects that join a graph later, as those of declared classes do. They may have no
  /// computed properties.
  package init(unjoined shape: Shape) {
    self.shape = shape
    super.init(valueCount: shape.propertiesByIndex.count + shape.hiddenSlots, isUnjoined: true)
    begin()
  }

  private func begin() {
    for (index, property) in shape.propertiesByIndex.enumerated() where !property.isRetired {
      fill(ownSlot(index), by: property)
    }
    firstSlot.pointee.body = shape.number
  }

  /// The name of a model, or nil.
  open var displayName: String? { nil }

  /// The value of a name that the shape does not have, for objects with dynamic names; nil for a
  /// name that does not exist. The read is recorded.
  ///
  /// - Throws: the error of reading the value; nothing for a name that does not exist.
  open func dynamicValue(of name: String) throws -> Value? { nil }

  /// Writes a value under a dynamic name. Returns false if that is not possible.
  ///
  /// - Throws: the error of a refused value; nothing if no value can be written under the name.
  open func setDynamicValue(_ value: Value, of name: String) throws -> Bool { false }

  // MARK: Proxies

  /// Reads a whole path, for proxies; nil to follow it step by step.
  package func readThrough(_ steps: ArraySlice<PathStep>) throws -> PathReader.Result? { nil }
  /// The object that takes writes at the end of a path, for proxies.
  package func proxyProperty(for steps: [PathStep]) -> ProxyProperty? { nil }
  /// Writes a value that `admitThrough` returned at the end of a path.
  package func writeThrough(_ steps: [PathStep], _ value: Value) throws {}
  /// The value that the property at the end of a path would hold if the value were written.
  package func admitThrough(_ steps: [PathStep], _ value: Value) throws -> Value { value }
  /// The description of the property at the end of a path, if it is known.
  package func describeThrough(_ steps: [PathStep]) -> PropertyDescription? { nil }
  /// The description of a property; for a proxy's property, of the property that it stands for.
  package func description(ofProperty index: Int) -> PropertyDescription {
    shape.propertiesByIndex[index]
  }

  /// Whether errors of its properties are shown to users: true for a view.
  open var showsBindingErrors: Bool { false }

  /// Whether users can edit it, so that an invalid value may be a user's mistake.
  open var takesEdits: Bool { false }

  /// Shows that a value entered here was rejected; nil clears the error.
  open func showBindingError(_ message: String?) {}

  private static let unknownShape = Shape(name: "DataObject", properties: [])

  private func fill(_ slot: Slot, by property: PropertyDescription) {
    admit(property, at: slot)
    begin(property, at: slot)
  }

  /// Sets a property's first value, or the body that computes it.
  package final func begin(_ property: PropertyDescription, at slot: Slot) {
    if let derive = property.derive {
      graph.derive(slot, by: derive(self))
    } else {
      _ = slot.store(property.initial.value)
    }
  }

  /// Marks on a slot which values may be written to it.
  package final func admit(_ property: PropertyDescription, at slot: Slot) {
    slot.pointee.type = property.type.rawValue | (property.isNullable ? UInt8(TIDE_NULLABLE) : 0)
    slot.pointee.access &= ~(Access.readOnly | Access.validated)
    if property.isReadOnly { slot.pointee.access |= Access.readOnly }
    if property.validate != nil || property.cases != nil {
      slot.pointee.access |= Access.validated
    }
  }

  /// A property's slot in the graph, by its index in the shape, from 0. An object without a graph
  /// joins the current one.
  package final func slot(_ index: Int) -> Slot { header + (index + 1) }

  package final func slot(named name: String) -> Slot? { shape.index(of: name).map { slot($0) } }

  /// A property's slot, without joining a graph.
  package final func ownSlot(_ index: Int) -> Slot { firstSlot + (index + 1) }

  package final func ownSlot(named name: String) -> Slot? {
    shape.index(of: name).map { ownSlot($0) }
  }

  /// Reads a property by name, as a script does.
  ///
  /// - Throws: `unknownProperty`; for a computed property the error of its function, or
  ///   `CycleError`, `DepthError` or `CapacityError` if it cannot be evaluated.
  public final func value(of name: String) throws -> Value {
    guard let index = shape.index(of: name) else {
      if let value = try dynamicValue(of: name) { return value }
      throw unknownProperty(name)
    }
    #if DEBUG
      Graph.checkAccess(to: firstSlot)
    #endif
    let slot = Graph.joinedSlot(of: ownSlot(index))
    guard slot.isUnjoined else { return try Graph.of(slot).read(slot) }
    if slot.isDerived { try Nursery.evaluate(slot) }
    return slot.load()
  }

  /// Reads a property by name; nil if it does not exist or cannot be read.
  public final subscript(name: String) -> Value {
    (try? value(of: name)) ?? .null
  }

  /// Writes a property by name, as a script does.
  ///
  /// - Throws: `unknownProperty`, `readOnly`, `wrongType`, `refused` with the validator's message,
  ///   or `graph` from another actor, thread or runtime; the property then keeps its value.
  public final func set(_ name: String, _ value: Value) throws {
    guard let index = shape.index(of: name) else {
      if let property = proxyProperty(for: [.property(name)]) {
        return try property.set("value", value)
      }
      if try setDynamicValue(value, of: name) { return }
      throw unknownProperty(name)
    }
    try write(index, value)
  }

  /// Writes a property by its index in the shape. Returns whether its value has changed.
  @discardableResult
  package final func write(_ index: Int, _ value: Value, byHost: Bool = false) throws -> Bool {
    // A copy of a description would retain everything that it refers to.
    if shape.propertiesByIndex[index].isReadOnly && !byHost {
      let name = shape.propertiesByIndex[index].name
      throw TideError(.readOnly, "\(label).\(name) is read only")
    }
    return try store(index, admitted(index, value), settling: true)
  }

  /// The value that a property would hold if the value were written: converted to its type and
  /// accepted by its validator.
  package final func admitted(_ index: Int, _ value: Value) throws -> Value {
    let value = try shape.propertiesByIndex[index].admit(value, of: self)
    guard let validate = shape.propertiesByIndex[index].validate else { return value }
    // The writer must not depend on what the validator reads.
    return try shape.propertiesByIndex[index].admit(
      Graph.untracked(at: firstSlot) { try validate(self, value) }, of: self)
  }

  /// Stores a value that has been admitted, or hands it to a computed property's setter.
  package final func store(_ index: Int, _ value: Value, settling: Bool) throws -> Bool {
    let slot = ownSlot(index)
    #if DEBUG
      Graph.checkAccess(to: slot)
    #endif
    if Graph.isObserved(slot), !Graph.admitsWrite(to: slot) {
      throw TideError.otherGraph("\(label.inMessage) belongs to", .of(slot))
    }
    if slot.pointee.access & Access.derived != 0 {
      let property = shape.propertiesByIndex[index]
      guard let assign = property.assign else {
        throw TideError(
          .readOnly, "\(label).\(property.name) is computed; write what it is computed from")
      }
      if property.isKeptOutside, slot.pointee.access & Access.prior != 0 {
        try Graph.of(slot).refresh(slot)
        BindingTable.of(graph).willChange(slot, to: value)
      }
      try Graph.untracked(at: slot) { try assign(self, value) }
      return true
    }
    if slot.pointee.access & Access.prior != 0 {
      BindingTable.of(graph).willChange(slot, to: value)
    }
    return settling && !slot.isUnjoined ? Graph.of(slot).write(slot, value) : slot.store(value)
  }

  package final func unknownProperty(_ name: String) -> TideError {
    let names = shape.properties.flatMap { [$0.name] + $0.aliases }
    var hint = NearestName.hint(for: name, in: names)
    if hint.isEmpty, self is any ListObject {
      let operators = CollectionOperator.allCases.map(\.rawValue)
      let near = operators.contains(name) ? name : NearestName.find(name, in: operators)
      if let near { hint = "; did you mean \"@\(near)\"?" }
    }
    if hint.isEmpty { hint = NearestName.listing(shape.namesOwnFirst) }
    return TideError(
      .unknownProperty, "\(shape.name) has no property \"\(name.inMessage)\"\(hint)")
  }

  /// Gathers the slots of a declared class into one block.
  private func takeDeclaredProperties() -> Shape {
    let layout = DeclaredLayout.of(self)
    adoptUnjoined(valueCount: layout.count)
    firstSlot.pointee.body = layout.shape.number
    // Stored for joining a graph, when the wrappers must follow the values.
    tide_nursery_wrappers(firstSlot).pointee = layout.offsets
    let memory = Unmanaged.passUnretained(self).toOpaque()
    var slot = firstSlot
    for index in 0..<layout.count {
      slot += 1
      let wrapper = (memory + Int(layout.offsets[index])).assumingMemoryBound(to: Slot.self)
      Nursery.move(wrapper.pointee, to: slot)
      wrapper.pointee = slot
    }
    for (index, prepare) in layout.preparations { prepare(self, ownSlot(index)) }
    return layout.shape
  }
}

extension DataObject {
  /// The name of the object in messages: its class, or the name that it was given.
  package var label: String { displayName ?? shape.name }
}
