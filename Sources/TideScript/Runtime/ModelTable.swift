public import TideBindings
import TideGraph

/// The models of an app by name: what scripts declared, and what the host gave.
///
/// ```swift
/// runtime.models["person"] = person
/// ```
public final class ModelTable {
  private var models: [String: DataObject] = [:]
  /// Names that the host gave, which scripts may not declare again.
  private var hostNames: Set<String> = []
  private let version: Signal<Int>

  init(_ graph: Graph) { version = graph.signal(0) }

  /// A model; reading is recorded, so that what waits for a name is told of it.
  public subscript(name: String) -> DataObject? {
    get {
      _ = version.value
      return models[name]
    }
    set {
      if newValue == nil { hostNames.remove(name) } else { hostNames.insert(name) }
      put(newValue, as: name)
    }
  }

  func put(_ model: DataObject?, as name: String) {
    models[name] = model
    version.value &+= 1
  }

  func isFromHost(_ name: String) -> Bool { hostNames.contains(name) }

  /// All names, sorted.
  public var names: [String] { models.keys.sorted() }

  /// Drops what scripts declared, and keeps what the host gave.
  func removeScripts() {
    for name in names where !hostNames.contains(name) { models[name] = nil }
    version.value &+= 1
  }

  /// What scripts declared.
  var scriptModels: [String: DataObject] {
    models.filter { !hostNames.contains($0.key) }
  }

  /// Puts back what scripts had declared before a failed reload.
  func restore(_ old: [String: DataObject]) {
    removeScripts()
    for (name, model) in old { put(model, as: name) }
  }

  func unknown(_ name: String) -> TideError {
    TideError(
      .unknownModel, "there is no model \"\(name)\"\(NearestName.hint(for: name, in: names))")
  }
}
