public import TideBindings
import TideSystem

/// A running app, found by its socket `name-process`.
///
/// ```swift
/// let apps = RunningApp.all()                     // fruit-1234, fruit-1240, todo-990
/// let app = try RunningApp.find("todo")           // or "990", or "todo-990"
/// ```
public struct RunningApp: Sendable, Equatable, CustomStringConvertible {
  /// The app's name: its script's name, or its folder's if the script is `app.lua`.
  public let name: String
  /// The process identifier.
  public let process: Int32
  package let path: String

  /// `fruit-1234`.
  public var description: String { "\(name)-\(process)" }

  init(name: String, process: Int32, in folder: RuntimeFolder) {
    // Socket addresses limit the length of the whole path.
    var name = name
    while name.utf8.count > 40 { name.removeLast() }
    self.name = name
    self.process = process
    path = "\(folder.path)/\(name)-\(process)"
  }

  /// The entry of this process for an app of the given name.
  package static func own(_ name: String, in folder: RuntimeFolder = .standard) -> RunningApp {
    RunningApp(name: name, process: getpid(), in: folder)
  }

  /// Nil if the file name is not a valid socket name.
  private init?(file: String, in folder: RuntimeFolder) {
    guard let dash = file.lastIndex(of: "-"), let process = Int32(file[file.index(after: dash)...]),
      process > 0
    else { return nil }
    self.init(name: String(file[..<dash]), process: process, in: folder)
  }

  /// The name of a script's app: the file name without `.lua`, or the folder's name if the script
  /// is `app.lua`, `main.lua` or `init.lua`. Characters other than letters, digits and dashes
  /// become dashes.
  ///
  /// - Parameter script: the absolute path of the script.
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

  /// The running apps, sorted by name. Removes sockets of dead processes.
  public static func all(in folder: RuntimeFolder = .standard) -> [RunningApp] {
    // A folder that other users can write to may contain anything.
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

  /// Finds an app by its name, its process identifier, or both; without a name, the only running
  /// app.
  ///
  /// - Throws: `attach` if no app or more than one matches, or if other users can access the
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
      "no app runs that could be attached to; start one with tidelock run FILE (to inspect a private "
        + "session of tidelock serve, open the second address that it prints)")
  }

  private static func list(_ apps: [RunningApp]) -> String {
    let names = apps.prefix(20).map(\.description).joined(separator: ", ")
    return apps.count > 20 ? names + " and \(apps.count - 20) more" : names
  }
}
