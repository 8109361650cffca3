public import TideBindings
import TideSystem

/// An app that runs, as it can be found: a socket `name-process`.
///
/// ```swift
/// let apps = RunningApp.all()                     // fruit-1234, fruit-1240, todo-990
/// let app = try RunningApp.find("todo")           // or "990", or "todo-990"
/// ```
public struct RunningApp: Sendable, Equatable, CustomStringConvertible {
  /// The app's own: that of its script, or of the folder where the script is `app.lua`.
  public let name: String
  /// The number of its process.
  public let process: Int32
  package let path: String

  /// `fruit-1234`.
  public var description: String { "\(name)-\(process)" }

  init(name: String, process: Int32, in folder: RuntimeFolder) {
    // The whole path has to fit into a socket's address, which is short.
    var name = name
    while name.utf8.count > 40 { name.removeLast() }
    self.name = name
    self.process = process
    path = "\(folder.path)/\(name)-\(process)"
  }

  /// What this process is found by, with one app of a name.
  package static func own(_ name: String, in folder: RuntimeFolder = .standard) -> RunningApp {
    RunningApp(name: name, process: getpid(), in: folder)
  }

  /// Nil for what is no name of a socket.
  private init?(file: String, in folder: RuntimeFolder) {
    guard let dash = file.lastIndex(of: "-"), let process = Int32(file[file.index(after: dash)...]),
      process > 0
    else { return nil }
    self.init(name: String(file[..<dash]), process: process, in: folder)
  }

  /// What an app is called: its script without `.lua`, or the folder where the script is `app.lua`,
  /// `main.lua` or `init.lua`; with nothing but letters, digits and dashes.
  ///
  /// - Parameter script: its whole path.
  public static func name(ofScript script: String) -> String {
    let parts = script.split(separator: "/")
    var name = parts.last.map(String.init) ?? "app"
    if name.hasSuffix(".lua") { name.removeLast(4) }
    if ["app", "main", "init"].contains(name), parts.count > 1 {
      name = String(parts[parts.count - 2])
    }
    let plain = name.unicodeScalars.map { scalar in
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      return isPlain ? String(scalar) : "-"
    }
    return plain.joined()
  }

  /// Those that run, sorted by name; what dead ones have left is taken away.
  public static func all(in folder: RuntimeFolder = .standard) -> [RunningApp] {
    // A folder that others may write could hold anything.
    do { try folder.check() } catch { return [] }
    return folder.entries.compactMap { RunningApp(file: $0, in: folder) }.filter { app in
      switch LocalSocket.connect(to: app.path) {
      case .made(let descriptor): close(descriptor)
      case .stale:
        unlink(app.path)
        return false
      case .failed: break
      }
      return true
    }
  }

  /// The app of a name, which may be its own, its process's number or both; without one the only
  /// app there is.
  ///
  /// - Throws: `attach` where there is none, or more than one, or where others may look into the
  ///   folder.
  public static func find(
    _ name: String? = nil, in folder: RuntimeFolder = .standard
  ) throws(TideError) -> RunningApp {
    let apps = all(in: folder)
    if apps.isEmpty { throw nothing(in: folder) }
    guard let name, !name.isEmpty else {
      if apps.count == 1 { return apps[0] }
      throw TideError(.attach, "\(apps.count) apps run; name one of them: \(list(apps))")
    }
    if let exact = apps.first(where: { $0.description == name }) { return exact }
    let found = apps.filter { $0.name == name || "\($0.process)" == name }
    if found.count == 1 { return found[0] }
    if found.count > 1 {
      throw TideError(
        .attach, "\(found.count) apps are called \"\(name)\"; name one of them: \(list(found))")
    }
    let hint = NearestName.hint(for: name, in: apps.map(\.name))
    throw TideError(.attach, "no app \"\(name)\" runs\(hint): there is \(list(apps))")
  }

  private static func nothing(in folder: RuntimeFolder) -> TideError {
    do { try folder.check() } catch  where access(folder.path, F_OK) == 0 { return error } catch {}
    return TideError(
      .attach,
      "no app runs that could be attached to; start one with tidelock run FILE (the private sessions "
        + "of tidelock serve are looked into at the second address that it prints)")
  }

  private static func list(_ apps: [RunningApp]) -> String {
    let names = apps.prefix(20).map(\.description).joined(separator: ", ")
    return apps.count > 20 ? names + " and \(apps.count - 20) more" : names
  }
}
