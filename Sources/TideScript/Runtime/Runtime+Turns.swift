import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// Runs one turn of the loop: due work runs, and its changes settle.
  package func turn(timeout: Double? = nil) {
    assert(graph.isHere, "a runtime is turned by somebody else than its owner")
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    loop.turn(timeout: timeout)
    graph.reclaimRemoteBlocks()
    settleGraph()
    if isInterpreterClosed { return endWithInterpreter() }
    finishTurn()
    home.runWithinBudget {
      resolveNames(listing: loader.hasFinished)
      if loader.hasFinished { listUnknownClasses() }
    }
  }

  /// Runs due work without waiting, for about the time of one turn at most. Remaining work is left
  /// to the next call.
  ///
  /// On another actor or thread than the runtime's, nothing runs, and an error of code `graph` is
  /// listed in the caller's graph.
  public func settle() {
    if exitCode != nil { return }
    do { try requireHere() } catch {
      BindingTable.current.list(error)
      return
    }
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    settleGraph()
    loop.drain(atMost: configuration.lua.turn)
    graph.reclaimRemoteBlocks()
    settleGraph()
  }

  /// Settles changes, optionally after a function, within the budgets of one turn. Observers may be
  /// functions of scripts, or work for long on a script's data.
  package func settleGraph(after change: () -> Void = {}) {
    home.runWithinBudget {
      change()
      graph.settle()
    }
  }

  /// Settles changes that the host has made to observable objects, so that a call sees them.
  func settleObserved() {
    if graph.drainObserved != nil, !graph.isInWave { settleGraph() }
  }

  /// Runs work that was deferred to the end of the turn.
  func finishTurn() { home.runWithinBudget { table.endTurn() } }

  /// Ends the app after the running turn, unless a handler of `willQuit` refuses.
  public func stop() { exit(0) }

  /// Sets a property before the app is shown, from a path such as `model.property` and a text that
  /// is converted.
  ///
  /// - Throws: `unresolvedName` or `unknownModel` for a path that begins with no model,
  ///   `unknownProperty` for an unknown name, `conversion` for a text that does not fit, and
  ///   `graph` on another actor or thread.
  public func set(_ path: String, to text: String) throws {
    try requireHere()
    let steps = try Path(path).steps
    guard let first = steps.first?.propertyName, steps.count > 1 else {
      throw TideError(.unresolvedName, "\"\(path)\" names no property; write model.property")
    }
    guard let model = graph.untracked({ models[first] }) else { throw models.unknown(first) }
    var object = model
    for step in steps.dropFirst().dropLast() {
      let value = try PathReader.read([step], from: object).value
      guard case .object(let held) = value, let next = held as? DataObject else {
        throw TideError(.unknownProperty, "\(step) of \(path) leads to no object")
      }
      object = next
    }
    guard let name = steps.last?.propertyName else { return }
    guard let index = object.shape.index(of: name) else { throw object.unknownProperty(name) }
    let property = object.shape.propertiesByIndex[index]
    let value = try Value.string(text).converted(
      to: property.type == .any ? .string : property.type, isNullable: property.isNullable)
    _ = try lua.turn { try object.write(index, value) }
  }
}
