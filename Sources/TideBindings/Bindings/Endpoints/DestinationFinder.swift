import TideGraph

/// Finds a binding's destination when it is not the target of the binding's edge.
class DestinationFinder {
  func find() throws -> Destination? { nil }
  /// The controller through which a user edits, if the path goes through one.
  var controller: Controller? { nil }
  /// Adds the records that the path to the destination passes through.
  func addRecords(to passage: inout RecordEdit.Passage) {}
}

/// Finds a fixed property; nil once its object is gone.
final class PropertyFinder: DestinationFinder {
  private let property: Slot
  private let generation: UInt32?

  init(_ property: Slot) {
    self.property = property
    generation = property.blockHeader?.generation
  }

  override func find() throws -> Destination? {
    guard let header = property.blockHeader, header.generation == generation,
      let object = header.block as? DataObject
    else { return nil }
    return .property(object, property - header - 1)
  }

  override func addRecords(to passage: inout RecordEdit.Passage) {
    if let object = try? find()?.object { passage.add(object) }
  }
}

/// Finds the property at the end of a path, in the object that the path currently resolves to.
final class PathFinder: DestinationFinder {
  private unowned(unsafe) let graph: Graph
  private let end: ObjectHandle
  private let steps: [PathStep]
  private let holder: Slot
  private let name: String

  /// - Parameter holder: the computed slot that holds the object to write to.
  init(_ graph: Graph, _ holder: Slot, _ target: Endpoint, named name: String) {
    self.graph = graph
    self.holder = holder
    self.name = name
    end = ObjectHandle(target.object)
    steps = Array(target.path.steps.dropLast())
  }

  override func find() throws -> Destination? {
    try graph.untracked {
      try graph.refresh(holder)
      guard case .object(let object as DataObject) = holder.load() else { return nil }
      if let proxyProperty = object as? ProxyProperty {
        // Its value is compared, so it must be up to date.
        try graph.refresh(proxyProperty.slot(0))
        return .property(proxyProperty, 0)
      }
      guard let destination = Destination(name, of: object) else {
        throw object.unknownProperty(name)
      }
      return destination
    }
  }

  override var controller: Controller? {
    graph.untracked {
      var object = end.object
      var steps = steps[...]
      while let current = object {
        // A controller's own properties, such as its selection, are not a model's.
        if let controller = current as? Controller {
          return steps.isEmpty ? nil : controller.isEdited ? controller : nil
        }
        if let selection = current as? SelectionProxy {
          return selection.controller.flatMap { $0.isEdited ? $0 : nil }
        }
        guard let step = steps.popFirst() else { return nil }
        let value = try? PathReader.read([step], from: current).value
        if case .object(let next as DataObject)? = value { object = next } else { return nil }
      }
      return nil
    }
  }

  override func addRecords(to passage: inout RecordEdit.Passage) {
    graph.untracked {
      var object = end.object
      var steps = steps[...]
      while let current = object {
        passage.add(current)
        if current is SelectionProxy { return }
        guard let step = steps.popFirst() else { return }
        if case .element(let name, _) = step {
          passage.isOfPlace = true
          if let list = try? current.value(of: name) { passage.addController(of: list) }
        }
        let value = try? PathReader.read([step], from: current).value
        if case .object(let next as DataObject)? = value { object = next } else { return }
      }
    }
  }
}
