import TideBindings
import TideLua
import TideScript

/// The scope of a running block or test: what it shows, declares and mounts ends with it.
final class SpecScope {
  /// How things were before it.
  let mark: TestMark
  /// How things were before the app that it has mounted.
  var app: App?

  struct App {
    let mark: TestMark
    /// Globals and loaded modules.
    let saved: LuaValue?
    let modulePath: LuaValue
  }

  init(_ mark: TestMark) { self.mark = mark }
}

extension SpecRuntime {
  /// Begins a block or a test.
  func beginPart() { parts.append(SpecScope(runtime.mark())) }

  /// Ends the innermost one; what its context held is gone already.
  func endPart() throws {
    guard let part = parts.popLast() else { return }
    defer { restore(to: part.mark) }
    try endApp(of: part)
  }

  private func restore(to mark: TestMark) {
    if runtime.scene !== mark.scene { screen.close() }
    runtime.restore(to: mark)
  }

  private func endApp(of part: SpecScope) throws {
    guard let app = part.app else { return }
    part.app = nil
    restore(to: app.mark)
    if let package = try runtime.lua.globals.rawGet("package").table {
      try package.rawSet("path", app.modulePath)
    }
    if let saved = app.saved { try restore(saved) }
  }

  /// Whether modules that are required now belong to an app that a test has mounted.
  var hasApp: Bool { parts.contains { $0.app != nil } }

  /// Starts an app instead of the one that the running test mounted before.
  func beginApp(_ name: String) throws -> (chunk: LuaFunction, file: String) {
    let file = try project.find(name, isConfined: options.isSandboxed)
    screen.clear()
    let package = try runtime.lua.globals.rawGet("package").table
    if let part = parts.last {
      try endApp(of: part)
      let path = try package?.rawGet("path") ?? .nil
      part.app = SpecScope.App(mark: runtime.mark(), saved: try save(), modulePath: path)
    }
    let chunk = try load(file)
    if let package, let path = try package.rawGet("path").text {
      let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
      try package.rawSet("path", .string("\(folder)/?.lua;\(folder)/?/init.lua;\(path)"))
    }
    return (chunk, file)
  }

  /// An error in an app's file is reported with its location in that file.
  private func load(_ file: String) throws -> LuaFunction {
    do { return try runtime.loadTested(file) } catch {
      let known = error as? TideError ?? (error as? LuaError).map { TideError($0) }
      guard let known, let location = known.location else { throw known ?? error }
      throw TideError(known.code, "\(location): \(known.message)")
    }
  }
}
