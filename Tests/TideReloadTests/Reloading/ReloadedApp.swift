import TestFolders
import TideBindings
@testable import TideReload
import TideScript
import TideViews

/// An app in a folder of its own, whose files a test writes and whose reloads it asks for.
final class ReloadedApp {
  let folder: ScratchFolder
  let runtime: Runtime
  private let output = Output()
  var printed: [String] { output.lines }

  private final class Output { var lines: [String] = [] }

  /// Loads an app of these files; `app.lua` is the main script.
  init(_ files: [String: String], clock: VirtualClock? = nil) throws {
    folder = try ScratchFolder()
    for (name, text) in files {
      if let slash = name.lastIndex(of: "/") { folder.makeFolder(String(name[..<slash])) }
      folder.write(text, to: name)
    }
    var configuration = Runtime.Configuration()
    configuration.clock = clock
    configuration.print = { [output] in output.lines.append($0) }
    runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    try runtime.load()
  }

  /// Saves files and reloads what they ask for.
  @discardableResult
  func save(_ files: [String: String]) -> ReloadReport {
    for (name, text) in files { folder.write(text, to: name) }
    return runtime.reload(changed: files.keys.sorted().map { folder.path + "/" + $0 })
  }

  /// Presses keys, as `"Tab a Enter"`.
  func press(_ keys: String) throws {
    runtime.settle()
    try runtime.scene?.commit()
    for key in try Key.sequence(keys) {
      runtime.scene?.send(.key(key))
      runtime.settle()
      try runtime.scene?.commit()
    }
  }

  /// What shows, as text.
  func picture() throws -> String {
    try runtime.scene?.commit()
    return runtime.scene?.frame.lines.joined(separator: "\n") ?? ""
  }

  /// The script of an example.
  static func example(_ name: String) -> String {
    var parts = #filePath.split(separator: "/").dropLast(4).map(String.init)
    parts += ["examples", name, "app.lua"]
    return "/" + parts.joined(separator: "/")
  }

  /// The value of an expression, as scripts print it.
  func value(_ expression: String) throws -> String {
    try runtime.evaluate("tostring((\(expression)))", as: String.self)
  }

  func run(_ code: String) throws { try runtime.evaluate(code, as: Value.self) }
}
