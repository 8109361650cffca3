import TideBindings
package import TideGraph
import TideLua
import TideViews

// Profiling of an app.

extension Runtime {
  /// Starts a profile; returns nil if one is already running.
  package func beginProfile() -> Profile? {
    keepHistory()
    return Profile(of: graph, bytes: lua.grantedBytes) { [weak self] key in
      self?.name(of: key) ?? Profile.Name(.computed, "")
    }
  }

  /// Runs a call of an event-driven function, and measures it.
  func measured<Result>(
    _ function: LuaFunction, _ body: () throws -> Result
  ) rethrows -> Result {
    // A script's main chunk is measured under its name.
    guard graph.isMeasured, let location = function.location else { return try body() }
    return try graph.measured(
      Profile.Name(.handler, "function", at: "\(SourceLocation(location))"), body)
  }

  private func name(of key: Profile.Key) -> Profile.Name {
    switch key {
    case .slot(let slot) where slot.isHeader:
      let object = slot.block as? DataObject
      let location = object.flatMap { table.placeOfMaking(of: $0) }
      return Profile.Name(.view, object?.label ?? "a view", at: location.map { "\($0)" } ?? "")
    case .slot(let slot):
      let body = graph.body(of: slot)
      let location = (body as? any LocatedBody)?.definition ?? location(ofBindingFrom: slot)
      return Profile.Name(
        kind(of: body, at: slot), label(of: slot), at: location.map { "\($0)" } ?? "")
    case .binding(let edge, _):
      let binding = table.binding(carriedBy: edge)
      return Profile.Name(
        .binding, binding?.description ?? "a binding", at: binding?.location.map { "\($0)" } ?? "")
    case .label: return Profile.Name(.handler, "")
    }
  }

  /// The line of the binding that carries the result of a slot's function.
  private func location(ofBindingFrom slot: Slot) -> SourceLocation? {
    for edge in graph.dependents(of: slot) {
      if let binding = table.binding(carriedBy: edge) { return binding.location }
    }
    return nil
  }

  private func kind(of body: Body?, at slot: Slot) -> Profile.Name.Kind {
    switch body {
    case is ObserverBody: .observer
    case is EffectBody: .effect
    case is any PathReadingBody: .path
    default: slot.blockHeader?.block is View ? .view : .computed
    }
  }

  /// A slot's name without the location, which is shown separately.
  private func label(of slot: Slot) -> String {
    switch graph.body(of: slot) {
    case is ObserverBody:
      if let edge = graph.dependencies(of: slot).first {
        return graph.name(of: graph.source(of: edge))
      }
    case let path as any PathReadingBody: return path.pathText
    default: break
    }
    let name = graph.name(of: slot)
    return name.firstRange(of: " at ").map { String(name[..<$0.lowerBound]) } ?? name
  }
}
