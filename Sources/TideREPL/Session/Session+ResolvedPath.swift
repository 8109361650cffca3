import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

extension Session {
  /// The object at which a typed path starts, and the path's remainder.
  struct ResolvedPath {
    let object: DataObject
    let path: Path
  }

  /// Finds the object at which a path starts: a variable of the session, a model, a view's id, or a
  /// global.
  func resolve(_ text: String) throws -> ResolvedPath {
    let path = try Path(text)
    guard let first = path.steps.first?.propertyName else {
      throw TideError(.metaCommand, "\"\(text)\" names nothing; write model.property")
    }
    if ["models", "views"].contains(first), object(named: first) == nil, path.steps.count > 1 {
      return try resolve(Path(steps: Array(path.steps.dropFirst())).description)
    }
    guard let object = object(named: first) else {
      throw TideError(
        .unresolvedName,
        "\"\(first)\" is not a model, a view's id or a variable\(NearestName.hint(for: first, in: rootNames))"
      )
    }
    return ResolvedPath(object: object, path: Path(steps: Array(path.steps.dropFirst())))
  }

  func object(named name: String) -> DataObject? {
    if let known = variable(name)?.object?.dataObject { return known }
    if let model = runtime.graph.untracked({ runtime.models[name] }) { return model }
    if let view = runtime.view(withID: name) { return view }
    return (try? runtime.lua.globals.rawGet(.string(name)))?.object?.dataObject
  }

  /// The names with which a path may start.
  var rootNames: [String] {
    variableNames.filter { variable($0)?.object?.dataObject != nil } + runtime.models.names
      + runtime.viewIDs
  }

  /// The owner of a path's last property.
  func owner(of resolved: ResolvedPath) throws -> DataObject? {
    var object = resolved.object
    for step in resolved.path.steps.dropLast() {
      guard let name = step.propertyName,
        case .object(let next as DataObject) = runtime.graph.untracked({ object[name] })
      else { return nil }
      object = next
    }
    return object
  }

  func slot(of resolved: ResolvedPath) throws -> Slot? {
    guard let name = resolved.path.steps.last?.propertyName, let object = try owner(of: resolved)
    else {
      return nil
    }
    return object.slot(named: name)
  }
}
