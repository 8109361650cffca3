import TideLua
import TideSystem

/// Creates interpreters for a project's files that are not specs: its configuration, output
/// handlers, and translations.
///
/// Without `--sandbox` such a file is unrestricted. In the sandbox it has an app's capabilities, a
/// time and memory budget, and only the project's own modules.
enum ProjectInterpreter {
  static func make(_ options: TestOptions, isTimed: Bool = true) throws(LuaError) -> LuaState {
    var configuration = LuaConfiguration()
    if options.isSandboxed {
      configuration.access = options.allowedAccess
      configuration.turn = .seconds(seconds(options))
      configuration.memory = options.memory
      return try LuaState(configuration)
    }
    configuration.capabilities = .all
    if !isTimed {
      configuration.turn = nil
      configuration.memory = 0
    }
    return try LuaState(configuration)
  }

  /// The budget of a turn in the sandbox, in seconds.
  private static func seconds(_ options: TestOptions) -> Double { min(5, options.secondsOfTurn) }

  /// A hint for error messages: the sandbox may be the cause.
  static func hint(_ options: TestOptions) -> String {
    if !options.isSandboxed { return "" }
    return " (with --sandbox it has no package, debug, dofile or loadfile, and "
      + "\(Seconds.text(seconds(options))) seconds)"
  }

  /// Adds `require` to a sandboxed state, and `io.write` if a function receives the output.
  ///
  /// - Returns: the table `preload`, with loaders by module name that precede the project's files.
  static func confine(
    _ lua: LuaState, _ options: TestOptions, writing write: ((borrowing LuaCall) throws -> Void)?
  ) throws -> LuaTable {
    let host = try lua.table()
    let bounds = options.bounds ?? ProjectBounds()
    let templates = (options.modulePath.asPathPrefix + "./?.lua;./?/init.lua").split(separator: ";")
    let find = try lua.function(named: "require") { call in
      let name = try call.string(0)
      let (file, source) = try module(name, templates.map(String.init), bounds)
      call.return(.function(try call.state.load(source.bytes, name: "@" + file)))
      call.return(.string(file))
    }
    try host.rawSet("find", .function(find))
    if let write {
      try host.rawSet("write", .function(try lua.function(named: "write", write)))
    }
    guard let source = EmbeddedSource.all["tidelock.test.confined"],
      let preload = try source.load(in: lua).call([.table(host)]).first?.table
    else { throw LuaError(.runtime, "there is no module \"tidelock.test.confined\"") }
    return preload
  }

  /// Finds a module's file by the templates of `package.path`. Ignores files outside of the
  /// project.
  private static func module(
    _ name: String, _ templates: [String], _ bounds: ProjectBounds
  ) throws -> (String, SpecFile) {
    let isPlain =
      name.utf8.count <= 1024 && !name.isEmpty
      && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
    guard isPlain else { throw LuaError(.runtime, "invalid module name \"\(name.prefix(100))\"") }
    let path = name.replacing(".", with: "/")
    let candidates = templates.map { $0.replacing("?", with: path) }
    for file in candidates where bounds.contains(file) && access(file, R_OK) == 0 {
      return (file, try SpecFile.read(file))
    }
    let looked = candidates.map { "\n\tno file '\($0)' in the project" }.joined()
    throw LuaError(.runtime, "module '\(name)' not found:\(looked)")
  }
}
