import Glibc
import TideBindings
import TideLua

extension Runtime {
  func installModules() throws {
    try define("require") { [unowned self] call in
      call.return(try require(call.string(0)))
    }
    let arguments = configuration.arguments.map { LuaValue.string($0) }
    let table = try lua.table(arguments)
    try table.rawSet(0, .string(path))
    try publish("arg", .table(table))
    sealedAPI = try apiTable.sealed(as: "tidelock")
    try lua.globals.rawSet("tidelock", .table(sealedAPI))
  }

  /// The folder that `require` looks in.
  var folder: String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Gives a module's value, running its file the first time.
  private func require(_ name: String) throws -> LuaValue {
    if name == "tidelock" { return .table(sealedAPI) }
    if let known = modules[name] {
      if known.isLoading {
        throw TideError(.module, "\"\(name)\" requires itself, by way of what it requires")
      }
      return known.value
    }
    let file = try find(module: name)
    modules[name] = Module(path: file, value: .boolean(true), isLoading: true)
    do {
      let context = BindingContext(name, in: table, parent: mainContext)
      let results = try table.with(context) { try perform { try runFile(file, [.string(name)]) } }
      let value = results.first ?? .nil
      modules[name] = Module(
        path: file, value: value.isNil ? .boolean(true) : value, isLoading: false)
      return modules[name]?.value ?? .nil
    } catch {
      modules[name] = nil
      throw placed(error)
    }
  }

  /// An error in a module's file, whose place a script that catches it sees, too.
  private func placed(_ error: any Error) -> any Error {
    guard let error = error as? TideError, let place = error.location, !(error.cause is ExitRequest)
    else { return error }
    return LuaError(
      .host, error.message, at: LuaLocation(chunk: place.file, line: place.line),
      traceback: error.traceback ?? "", cause: error)
  }

  private func find(module name: String) throws -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.contains("/") && !part.contains("\0")
    }
    guard isPlain else {
      throw TideError(
        .module, "\"\(name)\" is no module's name; write dir.name, from the app's folder")
    }
    let stem = folder + "/" + parts.joined(separator: "/")
    for candidate in [stem + ".lua", stem + "/init.lua"] where access(candidate, R_OK) == 0 {
      try checkWithinFolder(candidate, name)
      return candidate
    }
    throw TideError(
      .module,
      "there is no module \"\(name)\": neither \(stem).lua nor \(stem)/init.lua can be read")
  }

  /// A link must not lead out of the app's folder.
  private func checkWithinFolder(_ file: String, _ name: String) throws {
    guard let home = Self.realPath(folder), let real = Self.realPath(file),
      real.hasPrefix(home.hasSuffix("/") ? home : home + "/")
    else {
      throw TideError(.module, "module \"\(name)\" lies outside of the app's folder")
    }
  }

  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Loads a file as a chunk and runs it.
  func runFile(_ file: String, _ arguments: [LuaValue]) throws -> [LuaValue] {
    try loadFile(file).call(arguments)
  }

  /// Compiles a file.
  func loadFile(_ file: String) throws -> LuaFunction {
    let source = try ScriptFile.read(file)
    modulePaths.append(file)
    if source.allSatisfy(\.isWhitespace) {
      throw TideError(
        .scriptError, "the script is empty; declare a model, or return a view",
        location: SourceLocation(file: file, line: 1))
    }
    return try lua.load(source, name: "@" + file)
  }
}
