import TideGraph

extension Binding {
  /// Whether it writes a property of an object, wherever the path to it begins. Of a two-way binding
  /// both ends are written.
  package func writes(_ property: String, of object: DataObject) -> Bool {
    guard isAlive else { return false }
    let record = table.record(index).pointee
    return [record.edge, record.reverse].contains { edge in
      edge != 0 && writes(property, of: object, through: edge)
    }
  }

  private func writes(
    _ property: String, of object: DataObject, through edge: EdgeIndex
  ) -> Bool {
    let target = table.graph.target(of: edge)
    let body = table.graph.body(of: edge)
    let carrier = body as? Carrier ?? (body as? Gate)?.carrier
    // Nothing is written where a path breaks off.
    if let carrier, let place = try? carrier.place(of: target) {
      return place.isProperty(property, of: object)
    }
    return object.slot(named: property) == target
  }
}

extension Destination {
  fileprivate func isProperty(_ name: String, of object: DataObject) -> Bool {
    switch self {
    case .property(let holder, let place):
      holder === object && place == object.shape.index(of: name)
    case .entry(let holder, let entry): holder === object && entry == name
    }
  }
}
