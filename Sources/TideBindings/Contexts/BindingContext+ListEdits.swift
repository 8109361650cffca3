package import TideGraph

extension BindingContext {
  /// Observes the value at the end of a path and, if that is a list, its edits.
  ///
  /// - Parameters:
  ///   - body: called with each new value.
  ///   - edited: called after each edit of the list that the path leads to; once for several edits
  ///     if its rows are rearranged.
  package func observe(
    _ object: DataObject, _ path: String, by body: ObserverBody, initial: Bool,
    edited: @escaping (ValueList, [ListChange]) throws -> Void
  ) throws -> ContextEntry {
    if path == "selection", let controller = object as? ObjectController {
      return observeSelection(of: controller, by: body, initial: initial)
    }
    let found = try source(of: object, path)
    let source = found.slot
    body.reportsSource = true
    let value = source.load()
    let observation = observe(
      source, alsoOwning: found.node, failing: found.failure, by: body, initial: initial)
    switch value {
    // A property that holds a number or a text will hardly ever hold a list.
    case .boolean, .integer, .number, .string, .bytes: return observation
    case .null, .object: break
    }
    guard observation.isAlive else { return observation }
    let edits = observeEdits(of: source, edited)
    let both = own {
      observation.cancel()
      edits.cancel()
    }
    body.onEnd = { both.cancel() }
    return both
  }

  /// A controller's selection is always the same object. It counts as changed when other objects
  /// are selected.
  private func observeSelection(
    of controller: ObjectController, by body: ObserverBody, initial: Bool
  ) -> ContextEntry {
    var known: [Value]?
    var version = 0
    let node = table.graph.makeComputed(
      FunctionBody { [handle = ObjectHandle(controller)] in
        guard let controller = handle.object as? ObjectController else { return .null }
        let selected = controller.selectedValues
        if selected != known {
          known = selected
          version += 1
        }
        return .integer(version)
      })
    try? table.graph.refresh(node)
    let source = controller.slot(named: "selection") ?? node
    let observer = ObserverFunction { _, _ in
      try body.valueChanged(of: source, from: source.load(), to: source.load())
    }
    let observation = observe(node, alsoOwning: node, by: observer, initial: initial)
    return own {
      withExtendedLifetime(body) { observation.cancel() }
    }
  }

  /// Reports the edits of whichever list a slot holds.
  private func observeEdits(
    of source: Slot, _ edited: @escaping (ValueList, [ListChange]) throws -> Void
  ) -> ContextEntry {
    var edits: ContextEntry?
    let follow = { [unowned self] (value: Value) in
      edits?.cancel()
      edits = nil
      guard case .object(let list as ValueList) = value else { return }
      guard list is FollowingList || list is ComputedList else {
        edits = observe(list) { [unowned list] change in try edited(list, [change]) }
        return
      }
      // A rearrangement of rows is reported as one change, however many rows are inserted and
      // removed.
      edits = observe(list, ListObservationOptions(batch: true)) { [unowned list] changes in
        if !changes.isEmpty { try edited(list, changes) }
      }
    }
    follow(source.load())
    let observer = table.graph.makeObserver(of: source, ObserverFunction { _, new in follow(new) })
    let following = own(observer)
    return own {
      following.cancel()
      edits?.cancel()
    }
  }
}
