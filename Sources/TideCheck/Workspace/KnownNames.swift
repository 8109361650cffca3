import TideBindings
import TideLua
import TideViews
import TideScript

/// Every name that scripts can use without declaring it: the globals of Lua's library and of the
/// API, and the members of their tables.
///
/// The names are listed by a runtime, so they match those of a running app.
struct KnownNames {
  /// All globals.
  private(set) var globals: Set<String>
  /// The globals of the API.
  let api: Set<String>
  /// The members of tables with a fixed set of members.
  private(set) var members: [String: Set<String>]
  /// Functions that raise an error when called, and the permission that each lacks.
  private(set) var refused: [String: String] = [:]
  /// The part of the message about a refused function that says how to permit it.
  private(set) var remedy = "the host can allow"
  let viewClasses = ViewClasses()
  let values: KnownMembers
  /// The grammar of assertions, if known.
  private(set) var assertions: AssertionGrammar?
  /// The modules that the test runner provides.
  var runnerModules: Set<String> = []
  /// The types of functions.
  private(set) var types = APITypes.shared
  /// The members of all values of the API.
  var methods: Set<String> { types.memberNames }
  /// The schemas of scripts' databases; nil without a reader of SQL.
  var queries: QuerySchemas?

  /// - Parameters:
  ///   - access: what the app will be allowed to reach.
  ///   - hostNames: globals that the host adds.
  init(access: LuaAccess = LuaAccess(), hostNames: [String] = []) throws {
    var configuration = Runtime.Configuration(turn: nil)
    configuration.lua.access = access
    configuration.print = { _ in }
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    func names(of table: LuaTable) throws -> Set<String> { Set(try runtime.lua.names(in: table)) }
    globals = try names(of: runtime.lua.globals).union(hostNames)
    api = try runtime.apiNames.union(["tidelock"])
    members = [:]
    for name in Self.fixedTables {
      guard let table = try runtime.lua.globals.rawGet(.string(name)).table else { continue }
      members[name] = try names(of: table)
    }
    members["tidelock"] = api
    values = try KnownMembers(runtime)
    for (name, parts) in Self.computedTables { members[name] = parts }
    members.merge(values.roots) { $1 }
    for name in hostNames { members[name] = nil }
    refused = Self.refused(access)
    if access.namesFlags { remedy = "run and check with --allow" }
  }

  /// Tables whose members exist from the start.
  private static let fixedTables = [
    "string", "table", "math", "utf8", "os", "io", "coroutine", "json", "log", "trigger",
    "controller", "notification", "file", "process", "http", "stdin", "store", "session", "style",
    "undo",
  ]

  /// Tables that create their members on access.
  static let computedTables: [String: Set<String>] = [
    "hot": ["data", "dispose", "accept", "reloads"],
    "context": ["begin", "finish", "clear", "enable", "disable", "list"],
    "rich": apiNames(of: "rich"),
    "ask": apiNames(of: "ask"),
  ]

  fileprivate static func apiNames(of table: String) -> Set<String> {
    Set(
      APICatalogue.names.filter { $0.hasPrefix(table + ".") }.map {
        String($0.dropFirst(table.count + 1))
      })
  }

  /// The names that specs can use. They run with the whole library.
  func forSpecs(_ vocabulary: SpecVocabulary) -> KnownNames {
    var names = self
    names.globals.formUnion(vocabulary.words + vocabulary.libraryWords)
    for name in ["context", "os", "io"] { names.members[name] = nil }
    names.members["string"]?.insert("dump")
    names.refused = [:]
    for path in APITypes(vocabulary.definitions).functions.keys {
      let parts = path.split(separator: ".").map(String.init)
      guard parts.count == 2, vocabulary.words.contains(parts[0]) else { continue }
      names.members[parts[0], default: []].insert(parts[1])
    }
    names.assertions = vocabulary.assertions
    names.members["assert"] = vocabulary.assertions?.candidates
    names.types = APITypes(vocabulary.definitions, beside: types)
    return names
  }

  /// These names, and further globals of the host.
  func adding(_ hostNames: Set<String>) -> KnownNames {
    var names = self
    names.globals.formUnion(hostNames)
    return names
  }

  private static func refused(_ access: LuaAccess) -> [String: String] {
    var refused: [String: String] = [:]
    if !access.run {
      for name in ["os.execute", "io.popen"] { refused[name] = "run" }
    }
    if access.environment.isEmpty { refused["os.getenv"] = "env=NAME" }
    if access.write.isEmpty {
      for name in ["os.remove", "os.rename", "os.tmpname", "io.tmpfile"] {
        refused[name] = "write=DIR"
      }
      if access.read.isEmpty {
        for name in ["io.open", "io.lines"] { refused[name] = "read=DIR" }
      }
    }
    return refused
  }

  /// Names by which scripts detect their host program or their Lua version.
  static let environments: Set<String> = [
    "jit", "bit", "bit32", "unpack", "loadstring", "setfenv", "getfenv", "newproxy", "module",
    "warn",
    "ngx", "love", "js", "turbo", "arg", "_TEST", "DEBUG",
  ]

  /// Globals that apps never have.
  static let closed: Set<String> = ["debug", "package", "dofile", "loadfile"]
}

/// The members of the API's values in scripts: lists, controllers, views, bindings.
///
/// The members are listed by a runtime, so they match those of a running app.
struct KnownMembers {
  /// The properties and methods of lists, those of feeds included.
  private(set) var list: Set<String> = []
  /// The properties of the objects beside models that paths find by name: the app and its viewer.
  private(set) var roots: [String: Set<String>] = [:]
  /// The properties of the running app.
  var app: Set<String> { roots["app"] ?? [] }
  /// The methods of every view.
  private(set) var viewMethods: Set<String> = []
  /// The properties and methods of controllers, and their options, by kind.
  private(set) var controllers: [String: Set<String>] = [:]
  private(set) var controllerOptions: [String: [String]] = [:]
  /// The members of bindings, handles and tasks.
  private(set) var userdata: [String: Set<String>] = [:]

  /// The properties and methods of databases, and the options of their lists. They come from the
  /// catalogue, because this runtime has no database.
  let store = APISection.stores.members(of: "Store")
  let storeListOptions = APISection.stores.members(of: "StoreListOptions").sorted()

  static let rootNames = ["app", "viewer"]
  private static let userdataKinds = ["binding", "handle", "task"]

  init(_ runtime: Runtime) throws {
    if let feed = try Self.object("feed { fetch = function() return {} end }", runtime) {
      list = Self.members(of: feed, runtime)
    }
    for name in Self.rootNames {
      guard let object = try Self.object(name, runtime) else { continue }
      roots[name] = Self.members(of: object, runtime)
    }
    if let view = try Self.object("view.view {}", runtime) {
      viewMethods = Set(runtime.methodNames(of: view))
    }
    for kind in KnownNames.apiNames(of: "controller") {
      guard let made = try Self.object("controller.\(kind)()", runtime) as? Controller else {
        continue
      }
      controllers[kind] = Self.members(of: made, runtime)
      controllerOptions[kind] = Runtime.optionNames(of: made)
    }
    for kind in Self.userdataKinds { userdata[kind] = Set(runtime.memberNames(of: kind)) }
  }

  private static func object(_ expression: String, _ runtime: Runtime) throws -> DataObject? {
    let value = try runtime.lua.load("return \(expression)", name: "=check").call([]).first
    return value?.object?.dataObject
  }

  private static func members(of object: DataObject, _ runtime: Runtime) -> Set<String> {
    Set(object.shape.properties.map(\.name) + runtime.methodNames(of: object))
  }
}
