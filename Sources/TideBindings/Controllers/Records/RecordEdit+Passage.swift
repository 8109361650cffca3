package import TideGraph

extension BindingTable {
  /// The records to which input at a property is written, and the controllers on the way; empty if
  /// there are none.
  ///
  /// Without a binding, a handler may write the input to the objects that the property shows, so
  /// these are the records.
  ///
  /// - Parameter limit: the maximum number of selected records.
  package func passage(from slot: Slot, limit: Int = .max) -> RecordEdit.Passage {
    graph.untracked {
      var passage = RecordEdit.Passage(limit: limit)
      addRecords(to: &passage, from: slot, depth: 0)
      if passage.records.isEmpty { addShown(to: &passage, at: slot) }
      return passage
    }
  }

  /// The maximum depth of nested components. A view inside a component is bound to the component's
  /// property, and that property to the model.
  static let deepest = 8

  private func addRecords(to passage: inout RecordEdit.Passage, from slot: Slot, depth: Int) {
    forEachBinding(from: slot) { transfer, target, destination in
      if case .property(let view, let index)? = destination, view is any ViewNavigable {
        if depth < Self.deepest {
          addRecords(to: &passage, from: view.slot(index), depth: depth + 1)
        }
      } else if let transfer {
        transfer.addRecords(to: &passage, writing: target)
      } else {
        PropertyFinder(target).addRecords(to: &passage)
      }
    }
  }

  /// Calls a function with each binding that reads a property. The transfer is nil for a binding
  /// that copies.
  func forEachBinding(
    from slot: Slot, _ body: (BindingTransfer?, _ target: Slot, Destination?) -> Void
  ) {
    for edge in graph.dependents(of: slot).flatMap(leaving) {
      let record = graph.owner(of: edge)
      guard record != 0, graph.isBinding(edge, ownedBy: record) else { continue }
      let carrier = graph.body(of: edge)
      let target = graph.target(of: edge)
      let transfer =
        (carrier as? Gate)?.transfer ?? carrier as? BindingTransfer
        ?? (carrier as? SlotTransfer)?.transfer
      let destination =
        transfer.map { $0.currentDestination(of: target) } ?? (try? PropertyFinder(target).find())
      body(transfer, target, destination)
    }
  }

  /// A binding with a condition follows the property through a node of its own.
  private func leaving(_ edge: EdgeIndex) -> [EdgeIndex] {
    let target = graph.target(of: edge)
    return target.isDerived && target.blockHeader == nil ? graph.dependents(of: target) : [edge]
  }

  /// A property that reads more objects than this is a summary, not a shown record.
  private static let mostShown = 64

  /// Adds the objects whose properties a property shows.
  private func addShown(to passage: inout RecordEdit.Passage, at slot: Slot) {
    for edge in graph.dependencies(of: slot) {
      let source = graph.source(of: edge)
      let reads = source.blockHeader == nil ? graph.dependencies(of: source) : [edge]
      if reads.count > Self.mostShown { continue }
      for read in reads {
        guard let object = graph.source(of: read).blockHeader?.block as? DataObject else {
          continue
        }
        if object is SelectionProxy { continue }
        passage.add(object)
      }
    }
  }

  /// The records that users edit, made for the first edit.
  package var recordsToEdit: EditedRecords {
    if let editedRecords { return editedRecords }
    let made = EditedRecords(graph)
    editedRecords = made
    return made
  }
}

extension RecordEdit.Passage {
  package mutating func formUnion(_ other: Self) {
    for record in other.records { add(record) }
    for case let controller as Controller in other.controllers.map(\.object) {
      add(controller: controller)
    }
    isOfPlace = isOfPlace || other.isOfPlace
    isOfSelection = isOfSelection || other.isOfSelection
  }

  /// Adds an object of the path: a controller, a controller's selection, or a record.
  package mutating func add(_ object: DataObject) {
    switch object {
    case let selection as SelectionProxy:
      guard let controller = selection.controller else { return }
      add(controller: controller)
      if controller is ListController || controller is TreeController {
        isOfSelection = true
      } else {
        isOfPlace = true
      }
      controller.visitSelected { value in
        add(value)
        return !isCut
      }
    case let property as ProxyProperty:
      if let source = property.source { add(source) }
    case let controller as Controller: add(controller: controller)
    case let node as TreeNode:
      if let controller = node.controller { add(controller: controller) }
    case let pair as DictionaryPair:
      if let controller = pair.controller { add(controller: controller) }
      add(.object(pair))
    case is ControllerPart, is any ListObject, is any ViewNavigable, is ValueReference: break
    default: add(.object(object))
    }
  }

  private mutating func add(_ value: Value) {
    if case .object = value, !records.contains(value) { records.append(value) }
  }

  private mutating func add(controller: Controller) {
    if controllers.contains(where: { $0.object === controller }) { return }
    controllers.append(ObjectHandle(controller))
  }

  /// Adds the controller whose rows a list holds.
  package mutating func addController(of list: Value) {
    guard case .object(let list as FollowingList) = list,
      let controller = list.controller?.object as? Controller
    else { return }
    add(controller: controller)
  }

  /// Adds the row that contains a view.
  package mutating func add(row: Value, of list: ValueList?) {
    if let list { addController(of: .object(list)) }
    if case .object(let object as DataObject) = row {
      add(object)
      isOfPlace = true
    }
  }
}
