import TideBindings
import TideGraph
import TideViews

/// A binding by names, some of which do not exist yet.
final class WaitingBinding: NameWaiter {
  private let binding: ScriptBinding
  let wait: PendingName
  let names: [String]

  init(_ binding: ScriptBinding) {
    self.binding = binding
    names = (binding.plan?.paths ?? []).compactMap { $0.steps.first?.propertyName }
    wait = PendingName(in: binding.context)
  }

  /// Connects the binding if all names exist; false while one is missing.
  func resolve(in runtime: Runtime) throws -> Bool {
    if wait.isOver || binding.isUnbound || binding.binding != nil {
      wait.end(in: runtime)
      return true
    }
    var ends: [(object: DataObject, path: Path)] = []
    for path in binding.plan?.paths ?? [] {
      guard let end = try end(of: path, in: runtime) else { return false }
      ends.append(end)
    }
    wait.end(in: runtime)
    try binding.connect(ends)
    return true
  }

  private func end(
    of path: Path, in runtime: Runtime
  ) throws -> (object: DataObject, path: Path)? {
    guard let name = path.steps.first?.propertyName, path.steps.count > 1 else {
      throw TideError(
        .unresolvedName,
        "\"\(path)\" names no property; write a model's or view's name first: name.\(path)",
        location: binding.location, path: binding.text)
    }
    guard let root = runtime.root(named: name) ?? binding.roots[name] else { return nil }
    return (root, Path(steps: Array(path.steps.dropFirst())))
  }

  var origin: (location: SourceLocation?, text: String?) { (binding.location, binding.text) }

  func check(with transformers: TransformerRegistry) throws {
    try binding.plan?.check(with: transformers)
  }

  /// Lists each name that is still missing, once.
  func listMissing(in runtime: Runtime) {
    wait.list(in: runtime) {
      var listed: Set<String> = []
      return (binding.plan?.paths ?? []).compactMap { path in
        guard let name = path.steps.first?.propertyName, binding.roots[name] == nil,
          runtime.root(named: name) == nil, listed.insert(name).inserted
        else { return nil }
        let names = runtime.contexts.pendingNames.rootNames(in: runtime)
        return TideError(
          .unresolvedName,
          "there is no model or view named \"\(name.inMessage)\"\(NearestName.hint(for: name, in: names))",
          location: binding.location, path: binding.text)
      }
    }
  }
}
