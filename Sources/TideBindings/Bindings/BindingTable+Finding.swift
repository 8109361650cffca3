package import TideGraph

extension BindingTable {
  /// Tells the object of which a property shows something, by a path, from others; 0: it shows none's.
  package func holderMark(of slot: Slot) -> Int {
    for edge in graph.dependencies(of: slot) {
      let body = graph.body(of: graph.source(of: edge)) as? SourceBody
      if let mark = body?.holderMark, mark != 0 { return mark }
    }
    return 0
  }

  /// The live bindings, or those with an end at an object, or at one of its properties.
  package func bindings(of object: DataObject?, property: String?) -> [Binding] {
    guard let object else {
      var all: [Binding] = []
      forEachContext { all += $0.bindings }
      return all.sorted { $0.index < $1.index }
    }
    if object is ValueReference {
      guard property == nil || property == "value" else { return [] }
      return bindings(of: nil, property: nil).filter { binding in
        details(of: binding.index)?.references.contains { $0.object === object } ?? false
      }
    }
    let places = property.map { object.shape.index(of: $0).map { [$0] } ?? [] }
    // A list's bindings begin at a slot without a name.
    return owners(of: places ?? Array(0..<object.valueCount), in: object)
  }

  private func owners(of places: [Int], in object: DataObject) -> [Binding] {
    var owners: Set<UInt32> = []
    for place in places {
      let slot = object.slot(place)
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

  /// Lets the bindings with an end at a place in an object fail for good, because the property is there
  /// no more.
  package func failBindings(of object: DataObject, place: Int, _ error: TideError) {
    for binding in owners(of: [place], in: object) {
      record(binding.index).pointee.flags |= BindingRecord.disabled
      applyEnabled(to: binding.index)
      fail(binding.index, error)
    }
  }

  /// The live bindings that have the path of an object as an end.
  ///
  /// Throws `unknownProperty` for a path that begins with none of the object's.
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

// MARK: What belongs to it

extension BindingTable {
  /// Throws for an object of another graph: nobody here would ever hear of its changes.
  package func admit(_ object: DataObject) throws(TideError) {
    guard object.graph !== graph else { return }
    throw TideError(
      .graph,
      "\(object.label.inMessage) belongs to another runtime or thread, whose changes never arrive here; "
        + "make it where it is used, or send values")
  }

  /// Stops the program for a property of another graph, where no error can be thrown.
  func requireOwn(_ slot: Slot) {
    precondition(
      Graph.of(slot) === graph,
      "a property of an object that belongs to another runtime or thread cannot be bound here")
  }
}
