import TideBindings
import TideLua
import TideScript
import TideViews

/// The statically known value of an expression.
enum KnownValue {
  case value(LuaValue)
  /// A view of a class, not created yet.
  case view(ViewClass)
  /// An object of an app's class, not created yet.
  case object(ClassDescription)
  /// An instance of an API class, by its name in the catalogue's types.
  case instance(String)
}

// Finds values without calling functions of scripts: computed properties and `__index` functions
// are skipped. The result of a call is known only from the catalogue.
extension Session {
  func known(_ expression: TypedExpression) -> KnownValue? {
    switch expression {
    case .name(let name): return value(named: name).map { .value($0) }
    case .text: return .value("")
    case .member(let base, let name): return known(base).flatMap { member(name, of: $0) }
    case .element(let base, let number): return known(base).flatMap { element(number, of: $0) }
    case .call(let callee, let method):
      if let method { return known(callee).flatMap { result(ofMethod: method, of: $0) } }
      return result(of: callee)
    case .other: return nil
    }
  }

  func value(named name: String) -> LuaValue? {
    guard let found = variable(name) ?? (try? runtime.lua.globals.rawGet(.string(name))),
      !found.isNil
    else { return nil }
    return found
  }

  private func member(_ name: String, of known: KnownValue) -> KnownValue? {
    switch known {
    case .value(let value): return member(name, of: value).map { .value($0) }
    case .instance(let type):
      return types.classes[type]?.fields[name].flatMap { result(ofType: $0) }
    case .view, .object: return nil
    }
  }

  /// A member of a value; nil if it would have to be computed.
  private func member(_ name: String, of value: LuaValue) -> LuaValue? {
    switch value {
    case .table(let table):
      if library[table] != nil, let found = try? table[.string(name)] { return found }
      if let found = try? table.rawGet(.string(name)), !found.isNil { return found }
      // The runtime's own functions find models and views without side effects.
      let object: DataObject? =
        switch library.name(of: table) {
        case "models": runtime.models[name]
        case "views": runtime.view(withID: name)
        default: nil
        }
      return object.flatMap { try? runtime.luaValue(.object($0)) }
    case .object(let handle):
      guard let object = handle.dataObject else { return nil }
      if let dictionary = object as? DictionaryObject {
        return try? runtime.luaValue(dictionary[.text(name)])
      }
      // A selection has the properties of the object that is selected.
      if object is Controller, name == "selection",
        case .object(let selected) = object["selectedObject"]
      {
        return try? runtime.luaValue(.object(selected))
      }
      guard let index = object.shape.index(of: name),
        object.shape.propertiesByIndex[index].derive == nil || object is View
          || object is Controller
      else { return nil }
      return try? runtime.luaValue(object[name])
    default: return nil
    }
  }

  private func element(_ number: Int, of known: KnownValue) -> KnownValue? {
    switch known {
    case .value(.table(let table)):
      let found = (try? table.rawGet(.integer(number))) ?? .nil
      return found.isNil ? nil : .value(found)
    case .value(.object(let handle)):
      guard let list = handle.dataObject as? ValueList,
        let element = list.trackedElement(at: number - 1)
      else { return nil }
      return (try? runtime.luaValue(element)).map { .value($0) }
    default: return nil
    }
  }

  // MARK: Results of calls

  private func result(of callee: TypedExpression) -> KnownValue? {
    if case .value(let value)? = known(callee), let made = ClassDescription(value) {
      return .object(made)
    }
    guard let path = callee.path, isOfLibrary(callee) else { return nil }
    if let viewClass = viewClass(madeBy: path) { return .view(viewClass) }
    return types.functions[path]?.first?.result.flatMap { result(ofType: $0) }
  }

  /// Whether a path begins with a name of the API or of Lua's library that no variable shadows.
  private func isOfLibrary(_ callee: TypedExpression) -> Bool {
    guard let path = callee.path, let first = path.split(separator: ".").first.map(String.init)
    else { return false }
    return variable(first) == nil && LibraryNames.globals.contains(first)
  }

  /// The class whose views the constructor `view.name` creates.
  func viewClass(madeBy path: String) -> ViewClass? {
    guard path.hasPrefix("view."), variable("view") == nil else { return nil }
    return try? runtime.viewClass(named: String(path.dropFirst("view.".count)))
  }

  private func result(ofMethod name: String, of known: KnownValue) -> KnownValue? {
    if case .value(.string) = known {
      return types.functions["string.\(name)"]?.first?.result.flatMap { result(ofType: $0) }
    }
    return typeName(of: known).flatMap { types.classes[$0]?.methods[name]?.result }
      .flatMap { result(ofType: $0) }
  }

  /// The API class of a value.
  func typeName(of known: KnownValue) -> String? {
    switch known {
    case .instance(let name): return name
    case .view: return "view.view"
    case .object: return nil
    case .value(let value):
      switch value.object?.dataObject {
      case is ValueList: return "List"
      case is View: return "view.view"
      default: return nil
      }
    }
  }

  private func result(ofType type: String) -> KnownValue? {
    for part in types.alternatives(of: type) {
      if part == "string" { return .value("") }
      if let name = types.className(of: String(part)) { return .instance(name) }
      guard part.hasPrefix("tidelock.view."),
        let viewClass = try? runtime.viewClass(
          named: String(part.dropFirst("tidelock.view.".count)))
      else { continue }
      return .view(viewClass)
    }
    return nil
  }

  // MARK: Members of values

  /// The names after a dot, in groups; the app's own names are the first group.
  func members(of known: KnownValue, beginning word: Substring) -> [[String]] {
    switch known {
    case .value(let value): return members(of: value, beginning: word)
    case .view(let viewClass): return [viewClass.shape.properties.map(\.name), viewMethods]
    case .object(let made): return [made.shape.properties.map(\.name), made.methods]
    case .instance(let type): return [(types.classes[type]?.members ?? []).sorted()]
    }
  }

  /// The names after a colon.
  func methods(of known: KnownValue, beginning word: Substring) -> [String] {
    switch known {
    case .value(let value): return methods(of: value, beginning: word)
    case .view: return viewMethods
    case .object(let made): return made.methods
    case .instance(let type): return types.classes[type].map { Array($0.methods.keys) } ?? []
    }
  }

  private var viewMethods: [String] {
    types.classes["view.view"].map { Array($0.methods.keys) } ?? []
  }

  private func members(of value: LuaValue, beginning word: Substring) -> [[String]] {
    if let made = ClassDescription(value) { return [made.methods] }
    switch value {
    case .table(let table):
      if let names = library[table] { return [names] }
      switch library.name(of: table) {
      case "view": return [runtime.viewClassNames + Runtime.viewMakers]
      case "views": return [runtime.viewIDs]
      case "models": return [runtime.models.names]
      case let name?: return [types.variableMembers(of: name)]
      case nil:
        return [names(in: table, beginning: word)]
          + parents(of: table).map { names(in: $0, beginning: word) }
      }
    case .object(let handle):
      guard let object = handle.dataObject else { return [] }
      let keys = (object as? DictionaryObject)?.firstKeys(Self.mostNames).map(\.excerpt) ?? []
      return [keys + object.shape.properties.map(\.name), runtime.methodNames(of: object)]
    default: return []
    }
  }

  private func methods(of value: LuaValue, beginning word: Substring) -> [String] {
    switch value {
    case .object(let handle): return handle.dataObject.map(runtime.methodNames) ?? []
    case .table(let table):
      return ([table] + parents(of: table)).flatMap {
        names(in: $0, beginning: word) { $0.function != nil }
      }
    case .string:
      guard let table = try? runtime.lua.globals.rawGet("string").table else { return [] }
      return library[table] ?? []
    default: return []
    }
  }

  /// The tables in a table's chain of `__index`.
  private func parents(of table: LuaTable) -> [LuaTable] {
    var parents: [LuaTable] = []
    var next = table
    while parents.count < 16, let parent = library.parent(of: next), !parents.contains(parent) {
      parents.append(parent)
      next = parent
    }
    return parents
  }
}

extension APITypes {
  /// The function names in a table of the API: `open` in `store`.
  fileprivate func variableMembers(of table: String) -> [String] {
    functions.keys.filter { $0.hasPrefix(table + ".") }.map {
      String($0.dropFirst(table.count + 1))
    }
  }
}
