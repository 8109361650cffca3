import TideLua

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The interpreters in which a project's files run that are no specs: its configuration, its report, the
/// words of a language.
///
/// Without `--sandbox` such a file may do what the person may who runs it. In the sandbox it has what an
/// app has, a budget of time and memory, and modules of the project alone.
enum ProjectState {
  static func make(_ options: TestOptions, isTimed: Bool = true) throws(LuaError) -> LuaState {
    var configuration = LuaConfiguration()
    if options.isSandboxed {
      configuration.access = options.allowedAccess
      configuration.turn = .seconds(seconds(options))
      return try LuaState(configuration)
    }
    configuration.capabilities = .all
    if !isTimed {
      configuration.turn = nil
      configuration.memory = 0
    }
    return try LuaState(configuration)
  }

  /// How long such a file may run at a time, in the sandbox.
  private static func seconds(_ options: TestOptions) -> Double { min(5, options.timeLimit) }

  /// What is said beside an error of such a file, which may stem from what it lacks.
  static func hint(_ options: TestOptions) -> String {
    if !options.isSandboxed { return "" }
    return " (with --sandbox it has no package, debug, dofile or loadfile, and "
      + "\(Seconds.text(seconds(options))) seconds)"
  }

  /// Gives a sandboxed state `require`, and `io.write` where what is written goes to a function.
  ///
  /// - Returns: the table of modules that are found before those of the project, each a function.
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

  /// A module's file, found as `package.path` says. What lies outside of the project is not there.
  private static func module(
    _ name: String, _ templates: [String], _ bounds: ProjectBounds
  ) throws -> (String, SpecFile) {
    let isPlain =
      name.utf8.count <= 1024 && !name.isEmpty
      && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
    guard isPlain else { throw LuaError(.runtime, "\(name.prefix(100)) is no module's name") }
    let path = name.replacing(".", with: "/")
    let candidates = templates.map { $0.replacing("?", with: path) }
    for file in candidates where bounds.contains(file) && access(file, R_OK) == 0 {
      return (file, try SpecFile.read(file))
    }
    let looked = candidates.map { "\n\tno file '\($0)' in the project" }.joined()
    throw LuaError(.runtime, "module '\(name)' not found:\(looked)")
  }
}
