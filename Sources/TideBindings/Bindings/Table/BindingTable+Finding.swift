import CTideSlots
package import TideGraph

extension BindingTable {
  /// Identifies the object whose property is shown through a path; 0 for none.
  package func holderMark(of slot: Slot) -> Int {
    for edge in graph.dependencies(of: slot) {
      let body = graph.body(of: graph.source(of: edge)) as? SourceBody
      if let mark = body?.holderMark, mark != 0 { return mark }
    }
    return 0
  }

  /// The object whose property a binding without transformers copies to a slot, the property's name
  /// if it is known, and whether that binding is two-way.
  package func sourceObject(
    of slot: Slot
  ) -> (object: DataObject, property: String?, isTwoWay: Bool)? {
    for edge in graph.dependencies(of: slot) {
      let owner = graph.owner(of: edge)
      guard owner != 0, graph.isBinding(edge, ownedBy: owner),
        transfer(of: edge)?.hasTransformer != true
      else { continue }
      let source = graph.source(of: edge)
      let isTwoWay = record(owner).pointee.reverse != 0
      if let header = source.blockHeader, let object = header.block as? DataObject {
        let (index, properties) = (source - header - 1, object.shape.propertiesByIndex)
        return (object, properties.indices.contains(index) ? properties[index].name : nil, isTwoWay)
      }
      if let object = (graph.body(of: source) as? SourceBody)?.holder {
        return (object, nil, isTwoWay)
      }
    }
    return nil
  }

  /// The value that a binding would write to a property now; nil if none is bound to it.
  package func valueFromModel(at slot: Slot) -> Value? {
    for edge in graph.dependencies(of: slot) {
      let owner = graph.owner(of: edge)
      guard owner != 0, graph.isBinding(edge, ownedBy: owner) else { continue }
      let source = graph.source(of: edge)
      guard let transfer = transfer(of: edge) else { return graph.untracked { source.load() } }
      return graph.untracked { transfer.presentedValue(of: source) }
    }
    return nil
  }

  /// The live bindings: all of them, or those with an end at an object or at one of its properties.
  package func bindings(of object: DataObject?, property: String?) -> [Binding] {
    guard let object else {
      return allBindings.sorted { $0.index < $1.index }
    }
    if object is ValueReference {
      guard property == nil || property == "value" else { return [] }
      return bindings(of: nil, property: nil).filter { binding in
        details(of: binding.index)?.references.contains { $0.object === object } ?? false
      }
    }
    let indexes = property.map { object.shape.index(of: $0).map { [$0] } ?? [] }
    // Bindings of a list start at its unnamed version slot.
    return owners(of: indexes ?? Array(0..<object.valueCount), in: object)
  }

  private func owners(of indexes: [Int], in object: DataObject) -> [Binding] {
    var owners: Set<UInt32> = []
    for index in indexes {
      let slot = object.slot(index)
      for edge in graph.dependents(of: slot) + graph.dependencies(of: slot) {
        owners.insert(graph.owner(of: edge))
        // A path's node, whose edge is the binding's.
        let target = graph.target(of: edge)
        if target.isDerived && target.blockHeader == nil {
          for next in graph.dependents(of: target) { owners.insert(graph.owner(of: next)) }
        }
      }
    }
    return owners.subtracting([0]).sorted().map { Binding($0, self) }
  }

  /// Disables the bindings of a removed property and lists an error for each.
  package func failBindings(of object: DataObject, index: Int, _ error: TideError) {
    for binding in owners(of: [index], in: object) {
      record(binding.index).pointee.flags |= BindingRecord.disabled
      applyEnabled(to: binding.index)
      fail(binding.index, error)
    }
  }

  /// The live bindings that have the path of an object as an end.
  ///
  /// Throws `unknownProperty` for a path that does not begin with a property of the object.
  package func bindings(of object: DataObject, at path: Path) throws -> [Binding] {
    switch path.steps.first {
    case .property(let name)?, .element(let name, _)?:
      if object.shape.index(of: name) == nil, try object.dynamicValue(of: name) == nil {
        throw object.unknownProperty(name)
      }
      if path.steps == [.property(name)] { return bindings(of: object, property: name) }
    default: break
    }
    return bindings(of: object, property: nil).filter { binding in
      details(of: binding.index)?.nodes.contains { node in
        (graph.body(of: node) as? PathBody)?.follows(path, from: object) ?? false
      } ?? false
    }
  }
}

// MARK: Contexts

extension BindingTable {
  /// The contexts with bindings: the context's stable number, whether the context is enabled, and
  /// its bindings.
  package var contextContents: [(number: Int, isActive: Bool, bindings: [Binding])] {
    contexts.enumerated().compactMap { number, context in
      guard let context else { return nil }
      let bindings = bindings(in: context)
      return bindings.isEmpty ? nil : (number, context.pointee.isActive, bindings)
    }
  }
}

// MARK: Membership

extension BindingTable {
  /// Lets an object that has not joined a graph join this one.
  ///
  /// Throws for an object of another graph, whose changes would never arrive here, and when the
  /// caller is not the graph's owner.
  package func admit(_ object: DataObject) throws(TideError) {
    try requireHere()
    try admitHere(object)
  }

  /// Like `admit`, for a caller that is known to be the graph's owner, such as after joining a
  /// context.
  func admitHere(_ object: DataObject) throws(TideError) {
    withGraph { object.join($0) }
    if tide_arena_of(object.firstSlot) != arena {
      throw .otherGraph(object.label.inMessage + " belongs to", object.graph)
    }
  }

  /// Like `admitHere` for an object's property. Returns the property's slot.
  func admitHere<Content>(_ property: PropertyReference<Content>) throws(TideError) -> Slot {
    let slot = property.slot(joining: graphReference)
    if _slowPath(tide_arena_of(slot) != arena) { throw refusal(of: slot) }
    return slot
  }

  /// The error of a property that is not in this graph.
  func refusal(of slot: Slot) -> TideError {
    slot.isUnjoined
      ? TideError(
        .graph, "a property is bound before its object is made; bind it after super.init()")
      : .otherGraph(graph.name(of: slot) + " belongs to", .of(slot))
  }

  /// Throws when the caller is not the graph's owner.
  @inline(__always)
  package func requireHere() throws(TideError) {
    if _slowPath(!tide_arena_is_here(arena)) { throw .otherGraph("the context belongs to", graph) }
  }

  /// Lists an error with the graph of a slot; for an unjoined one, with the current graph.
  static func listing(_ error: any Error, at slot: Slot) {
    if slot.isUnjoined { current.list(error) } else { of(.of(slot)).list(error, at: slot) }
  }
}

extension TideError {
  /// The error for using an object or property that belongs to another graph.
  package static func otherGraph(_ subject: String, _ graph: Graph) -> TideError {
    let owner = graph.isHere ? "another runtime of this actor or thread" : graph.ownerName
    return TideError(
      .graph,
      "\(subject) \(owner), whose changes never arrive here; make it where it is used, or send values"
    )
  }

  /// The error when the system refuses memory for another graph.
  package static var tooManyGraphs: TideError {
    TideError(
      .limit,
      "the system refuses memory for another actor's or thread's objects; raise the limit of address "
        + "space (ulimit -v), or vm.max_map_count where thousands live side by side")
  }

  /// The error of binding, observing or exposing in a task without an actor.
  package static var ownerless: TideError {
    TideError(
      .graph,
      "a task that is on no actor has no graph, because nothing says that it runs alone; do this in an "
        + "actor, on the main actor or on a thread of its own")
  }
}
