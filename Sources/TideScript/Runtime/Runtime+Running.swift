import TideBindings
import TideGraph
import TideLua
public import TideViews

extension Runtime {
  /// Shows the app with a renderer, or runs it without one, until it ends; gives its exit code.
  ///
  /// With a renderer the app ends by `exit`, `stop` or when nothing shows it any more; without one
  /// when there is nothing left to do: no timer, no pending work. Handlers of `willQuit` are asked
  /// before, and at the end everything that the scripts have made ends: see `end`.
  ///
  /// It runs where it is called, which must be the runtime's actor, and suspends while there is
  /// nothing to do: the actor goes on with its other work meanwhile.
  ///
  /// - Throws: `CancellationError` when its task was cancelled: the app has then ended as by
  ///   `stop`, and nobody could have it stay. `TideError` of code `graph` where somebody else than
  ///   the runtime's
  ///   owner asks, and what the renderer throws.
  nonisolated(nonsending) public func run(_ renderer: (any Renderer)? = nil) async throws -> Int32 {
    try requireHere()
    let appRun = AppRun(self, renderer)
    defer { appRun.close() }
    while try appRun.needsStep() {
      if Task.isCancelled { exit(0, within: 0) }
      await loop.untilSomethingIsDue()
      appRun.step(timeout: loop.clock == nil ? 0 : nil)
    }
    appRun.close()
    end()
    if Task.isCancelled { throw CancellationError() }
    return exitCode ?? 0
  }

  /// The same, for a caller that is not asynchronous: it keeps the calling thread.
  package func runUntilExit(_ renderer: (any Renderer)? = nil) throws -> Int32 {
    let appRun = AppRun(self, renderer)
    defer { appRun.close() }
    while try appRun.needsStep() { appRun.step(timeout: nil) }
    // The person has the medium back before what may take its time.
    appRun.close()
    end()
    return exitCode ?? 0
  }

  /// Lets the person in front of a renderer leave: by Ctrl-C, where nobody takes that, or by the
  /// system's means.
  func listen(to renderer: any Renderer) {
    guard let renderer = renderer as? any InteractiveRenderer else { return }
    renderer.onQuit = { [home] in home.runtime?.exit($0, within: AppEnding.timeOfSignal) }
    let given = renderer.onUnhandled
    renderer.onUnhandled = { [home] event in
      given(event)
      if event == .key(Key("c" as Character, modifiers: .control)) { home.runtime?.exit(130) }
    }
  }

  /// One turn of the loop: what is due runs, and what it changed settles.
  package func turn(timeout: Double? = nil) {
    assert(graph.isHere, "a runtime is turned by somebody else than its owner")
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    loop.turn(timeout: timeout)
    graph.reclaimRemoteBlocks()
    settleGraph()
    if isInterpreterClosed { return exit(1) }
    finishTurn()
    home.runWithinBudget {
      resolveNames(listing: loader.hasFinished)
      if loader.hasFinished { listUnknownClasses() }
    }
  }

  /// Runs what is due now, without waiting, for at most about the time of one turn; what is then
  /// still due is left to the next call.
  ///
  /// Where somebody else than the runtime's owner asks, nothing runs, and an error of code `graph`
  /// is listed by the caller.
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

  /// Follows what has changed, by itself or through a function, within the budgets of one turn:
  /// what that calls may be a script's, or work for as long as a script's data has it work.
  package func settleGraph(after change: () -> Void = {}) {
    home.runWithinBudget {
      change()
      graph.settle()
    }
  }

  /// Does what was left to the end of the turn.
  func finishTurn() { home.runWithinBudget { table.endTurn() } }

  /// Ends the app after the running turn, unless a handler of `willQuit` has it stay.
  public func stop() { exit(0) }

  /// Sets a property before the app is shown: `model.property`, and a text that is converted.
  ///
  /// - Throws: `unresolvedName` or `unknownModel` for a path that begins with no model,
  ///   `unknownProperty` for a name that is not there, and `conversion` for a text that does not
  ///   fit.
  public func set(_ path: String, to text: String) throws {
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
