import TideBindings
import TideGraph
import TideLua
import TideScript
import TideSystem
import TideViews

// Details of one property: its value, bindings, causes, and neighbours in the graph.

extension Inspection {
  func properties(of object: DataObject) -> [JSONLine] {
    object.shape.properties.map { property in
      var item = JSONLine()
      item.add("name", property.name)
      item.add("value", shownText(of: property, in: object))
      item.add("type", "\(property.type)")
      item.add("fixed", property.isReadOnly)
      if property.derive != nil { item.add("computed", true) }
      let bindings = runtime.bindings.bindings(of: object, property: property.name)
      item.add("bound", bindings.map { $0.description.escapingControls }.joined(separator: "; "))
      if let error = bindings.compactMap(\.error).first {
        item.add("error", error.message.escapingControls)
      }
      if let slot = object.slot(named: property.name), let measure = runtime.graph.measure(of: slot)
      {
        item.add("changes", measure.changes)
        item.add("runs", measure.runs)
        item.add("nanoseconds", Int(measure.seconds * 1e9))
      }
      return item
    }
  }

  private func shownText(of property: PropertyDescription, in object: DataObject) -> String {
    if let view = object as? View, property.name == "text", view.shape.index(of: "secure") != nil,
      view[.secure]
    {
      return "•••"
    }
    do { return text(of: try object.value(of: property.name)) } catch {
      return "error: \((error as? TideError)?.message ?? "\(error)")".escapingControls
    }
  }

  func why(_ object: DataObject, _ name: String) throws -> [JSONLine] {
    try runtime.why(object, name).map { cause in
      var item = JSONLine()
      item.add("text", "\(cause)".escapingControls)
      add(cause.location, to: &item)
      return item
    }
  }

  /// Sets a property to the value of a Lua expression.
  func set(_ object: DataObject, _ name: String, _ text: String) throws -> [JSONLine] {
    guard object.shape.index(of: name) != nil else { throw object.unknownProperty(name) }
    guard let chunk = try session.compile("return \(text)", isComplete: true) else {
      throw TideError(.badArgument, "write a value of Lua: 3, \"text\", true")
    }
    let value = try runtime.value(from: try session.call(chunk).first ?? .nil)
    try object.set(name, value)
    runtime.settle()
    return []
  }

  // MARK: Dependencies

  /// The dependencies and dependents of a property, up to two steps away.
  func dependencies(of object: DataObject, _ name: String) throws -> [JSONLine] {
    guard let slot = object.slot(named: name) else { throw object.unknownProperty(name) }
    let graph = runtime.graph
    return neighbours(of: slot, "from", far: 2) { graph.dependencies(of: $0).map(graph.source) }
      + neighbours(of: slot, "to", far: 2) { graph.dependents(of: $0).map(graph.target) }
  }

  private static let mostNeighbours = 100

  private func neighbours(
    of start: Slot, _ direction: String, far: Int, _ next: (Slot) -> [Slot]
  ) -> [JSONLine] {
    var items: [JSONLine] = []
    var seen: Set<Slot> = [start]
    var waiting = next(start).map { (slot: $0, depth: 1) }
    while !waiting.isEmpty, items.count < Self.mostNeighbours {
      let (slot, depth) = waiting.removeFirst()
      guard seen.insert(slot).inserted else { continue }
      // Internal nodes of paths and bindings have no names, and do not count as a step.
      let further = next(slot)
      let isInner = slot.blockHeader == nil && !further.isEmpty
      if !isInner { items.append(item(slot, direction, depth)) }
      let deeper = isInner ? depth : depth + 1
      if deeper <= far { waiting += further.map { ($0, deeper) } }
    }
    return items
  }

  private func item(_ slot: Slot, _ direction: String, _ depth: Int) -> JSONLine {
    let graph = runtime.graph
    var item = JSONLine()
    item.add("direction", direction)
    item.add("depth", depth)
    item.add("label", graph.name(of: slot).escapingControls)
    if let header = slot.blockHeader, let object = header.block as? DataObject, slot > header {
      item.add("node", node(of: object))
      let index = slot - header - 1
      if object.shape.propertiesByIndex.indices.contains(index) {
        item.add("name", object.shape.propertiesByIndex[index].name)
      }
    }
    return item
  }
}
