public import TideBindings
import TideGraph

/// The models of an app by name: those that scripts declare, and those that the host registers.
///
/// ```swift
/// try runtime.register("person", person)
/// runtime.models["person"]   // person
/// ```
///
/// An object belongs to one runtime. An object of another runtime or thread is refused, which lists
/// an error of code `graph`.
public final class ModelTable {
  private var models: [String: DataObject] = [:]
  /// Names that the host registered. Scripts may not declare them.
  private var hostNames: Set<String> = []
  /// Models that scripts no longer declare, with their values.
  private var hidden: [String: ScriptObject] = [:]
  /// The module that declares each model, and the location.
  private var claims: [String: Claim] = [:]
  private let version: Signal<Int>

  private struct Claim {
    unowned let module: Module
    let location: SourceLocation?
  }

  private unowned let table: BindingTable

  init(_ graph: Graph) {
    version = graph.signal(0)
    table = .of(graph)
  }

  /// A model. Reads are recorded, so that observers of a missing name are notified.
  public subscript(name: String) -> DataObject? {
    get {
      _ = version.value
      return models[name]
    }
    @available(*, deprecated, message: "use Runtime.register, which throws, and remove(_:)")
    set {
      guard let newValue else { return remove(name) }
      do throws(TideError) { try table.admit(newValue) } catch {
        table.list(error)
        return
      }
      hostNames.insert(name)
      put(newValue, as: name)
    }
  }

  /// Registers a model of the host.
  func register(_ model: DataObject, as name: String) throws(TideError) {
    if name.isEmpty {
      throw TideError(.badArgument, "a model without a name cannot be found; give it one")
    }
    if models[name] != nil, !hostNames.contains(name) {
      throw TideError(
        .duplicate,
        "the host's model \"\(name.inMessage)\" would take the place of one that a script has "
          + "declared; give it another name, or register it before the script runs")
    }
    try table.admit(model)
    hostNames.insert(name)
    put(model, as: name)
  }

  /// Removes a model. On another actor or thread it removes nothing and lists an error there.
  public func remove(_ name: String) {
    if !table.graph.isHere {
      BindingTable.current.list(TideError.otherGraph("the runtime belongs to", table.graph))
      return
    }
    hostNames.remove(name)
    put(nil, as: name)
  }

  package func put(_ model: DataObject?, as name: String) {
    hidden[name] = nil
    models[name] = model
    changes += 1
    version.value &+= 1
  }

  /// Whether a name has a model; not recorded as a read.
  func contains(_ name: String) -> Bool { models[name] != nil }

  /// Whether an object is one of the models.
  func contains(_ object: DataObject) -> Bool { models.values.contains { $0 === object } }

  package func isFromHost(_ name: String) -> Bool { hostNames.contains(name) }

  var count: Int { models.count }

  /// Increases when models are added or removed.
  private(set) var changes = 0

  /// The bytes of all names.
  var nameBytes: Int { models.keys.reduce(0) { $0 + $1.utf8.count } }

  /// All names, sorted.
  public var names: [String] { models.keys.sorted() }

  /// The name of a model, a controller or another object that paths find by name; the first of
  /// several. A list is named after the model's property that holds it.
  func name(of object: DataObject) -> String? {
    if let name = models.filter({ $0.value === object }).keys.min() { return name }
    guard object is any ListObject else { return nil }
    for name in names {
      guard let model = models[name] else { continue }
      for (index, property) in model.shape.propertiesByIndex.enumerated() {
        if case .object(let held) = model.slot(index).load(), held === object {
          return "\(name).\(property.name)"
        }
      }
    }
    return nil
  }

  /// Whether an object is an element of a model's list, or of a list of an object that a model has.
  func hasListed(_ element: Value) -> Bool {
    table.graph.untracked {
      let held = models.values.flatMap(Self.objects)
      return (held + held.flatMap(Self.objects)).contains { object in
        (object as? ValueList)?.index(of: element) != nil
      }
    }
  }

  /// The objects that a model or another object has as values of its properties.
  private static func objects(of object: DataObject) -> [DataObject] {
    object.shape.propertiesByIndex.indices.compactMap { index in
      if case .object(let held as DataObject) = object.slot(index).load() { held } else { nil }
    }
  }

  /// Removes the scripts' models, and keeps the host's.
  func removeScripts() {
    for name in names where !hostNames.contains(name) { models[name] = nil }
    hidden = [:]
    claims = [:]
    changes += 1
    version.value &+= 1
  }

  func unknown(_ name: String) -> TideError {
    TideError(
      .unknownModel,
      "there is no model \"\(name.inMessage)\"\(NearestName.hint(for: name, in: models.keys, areOrdered: false))"
    )
  }
}

// MARK: Declarations of modules

extension ModelTable {
  /// The model that scripts have declared under a name, even if it is hidden now.
  func declared(_ name: String) -> ScriptObject? {
    models[name] as? ScriptObject ?? hidden[name]
  }

  func isHidden(_ name: String) -> Bool { hidden[name] != nil }

  /// Hides a model that is no longer declared. It keeps its values.
  package func hide(_ name: String) {
    guard let model = models[name] as? ScriptObject, !hostNames.contains(name) else { return }
    put(nil, as: name)
    hidden[name] = model
  }

  /// Records that a module declares a model. If another module already does, `settles` accepts that
  /// or throws the error.
  func claim(
    _ name: String, for module: Module?, at location: SourceLocation?,
    settles: (_ other: Module, _ error: TideError) throws -> Void
  ) throws {
    guard let module else { return }
    if let claim = claims[name], claim.module !== module {
      let earlier = claim.location ?? SourceLocation(file: claim.module.path, line: 1)
      let error = TideError(
        .duplicate,
        "the model \"\(name)\" is declared at \(earlier) already, by another module; "
          + "use models.\(name), or declare it in one of them", location: location)
      try settles(claim.module, error)
    }
    claims[name] = Claim(module: module, location: location)
    module.models[name] = .some(location)
  }

  /// Releases a model, so that other modules may declare it.
  package func unclaim(_ name: String, by module: Module) {
    if claims[name]?.module === module { claims[name] = nil }
  }

  /// Whether any module currently declares it.
  package func isClaimed(_ name: String) -> Bool { claims[name] != nil }

  /// Restores a module's former declarations.
  package func claimAgain(by module: Module) {
    for (name, location) in module.models {
      claims[name] = Claim(module: module, location: location)
    }
  }
}
