import TideBindings
import TideLua
import TideViews

/// Every name that a script finds without declaring it: the globals of Lua's library and of the API,
/// and what their tables hold.
///
/// They are asked of a runtime, so that they are what an app finds.
struct ScriptNames {
  /// All globals.
  private(set) var globals: Set<String>
  /// The API's own.
  let api: Set<String>
  /// The members of tables that hold a fixed set of them.
  private(set) var members: [String: Set<String>]
  /// Functions that raise when they are called, and the permission that each lacks.
  private(set) var refused: [String: String] = [:]
  /// Who allows what is refused.
  private(set) var remedy = "the host can allow"
  let viewClasses = ViewClasses()
  let values: ValueMembers

  /// - Parameters:
  ///   - access: what the app will be allowed to reach.
  ///   - hostNames: globals that the program which runs the app adds.
  init(access: LuaAccess = LuaAccess(), hostNames: [String] = []) throws {
    var configuration = Runtime.Configuration(turn: nil)
    configuration.lua.access = access
    configuration.print = { _ in }
    let runtime = try Runtime(path: "app.lua", configuration: configuration)
    func names(of table: LuaTable) throws -> Set<String> { Set(try runtime.lua.names(in: table)) }
    globals = try names(of: runtime.lua.globals).union(hostNames)
    api = try names(of: runtime.sealedAPI).union(["tidelock"])
    members = [:]
    for name in Self.fixedTables {
      guard let table = try runtime.lua.globals.rawGet(.string(name)).table else { continue }
      members[name] = try names(of: table)
    }
    members["tidelock"] = api
    values = try ValueMembers(runtime)
    for (name, parts) in Self.computedTables { members[name] = parts }
    for name in hostNames { members[name] = nil }
    refused = Self.refused(access)
    if access.namesFlags { remedy = "run and check with --allow" }
  }

  /// Tables of which nothing is made by asking for it.
  private static let fixedTables = [
    "string", "table", "math", "utf8", "os", "io", "coroutine", "log", "trigger", "controller",
    "notification",
  ]

  /// Tables that give their members when they are asked for them.
  static let computedTables: [String: Set<String>] = [
    "hot": ["data", "dispose", "accept", "reloads"],
    "context": ["begin", "finish", "clear", "enable", "disable", "list"],
  ]

  /// The same as a spec file finds them.
  var forSpecs: ScriptNames {
    var names = self
    names.globals.formUnion(Self.runnerWords + Self.specLibrary)
    // It runs with the whole library.
    for name in ["context", "os", "io"] { names.members[name] = nil }
    names.refused = [:]
    return names
  }

  /// What the test runner adds: busted's words and its own.
  static let runnerWords = [
    "describe", "insulate", "expose", "it", "spec", "test", "pending", "before_each", "after_each",
    "setup", "teardown", "lazy_setup", "lazy_teardown", "strict_setup", "strict_teardown",
    "finally", "randomize", "async", "done", "spy", "stub", "mock", "match", "ui", "clock",
    "forall",
    "gen",
  ]

  /// The rest that a spec may name: the whole library, and what older ones ask for.
  private static let specLibrary = [
    "file", "assert", "io", "os", "debug", "package", "dofile", "loadfile", "busted", "say",
    "luassert", "bit32", "unpack", "loadstring", "setfenv", "getfenv", "jit", "module", "newproxy",
  ]

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

  /// Names that scripts ask for to find out where they run, or which Lua runs them.
  static let environments: Set<String> = [
    "jit", "bit", "bit32", "unpack", "loadstring", "setfenv", "getfenv", "newproxy", "module",
    "warn",
    "ngx", "love", "js", "turbo", "arg", "_TEST", "DEBUG",
  ]

  /// What an app never has.
  static let closed: Set<String> = ["debug", "package", "dofile", "loadfile"]
}
