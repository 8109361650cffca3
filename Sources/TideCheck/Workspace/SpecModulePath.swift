import TideScript
import TideSystem

/// Where the test runner looks for the modules of specs below a project's folder: in busted's usual
/// places, and in those of `lpath` in `.busted`.
///
/// ```lua
/// return { _all = { lpath = "lua/?.lua" } }
/// ```
///
/// `.busted` is Lua; its tables are read as they are written, and nothing in it runs.
package struct SpecModulePath {
  /// The places without a setting.
  package static let standard = "./src/?.lua;./src/?/?.lua;./src/?/init.lua"

  private var templates: [String] = []
  /// Whether `.busted` computes places.
  private(set) var hasOthers = false

  /// Reads the file of a folder, if it has one.
  init(in folder: String) {
    let file = SystemPath.joined(folder, ".busted")
    let settings = try? ScriptFile.bytes(of: file, limit: 1 << 20, "a settings file")
    if let settings { readPaths(in: settings) }
    add(Self.standard)
  }

  private mutating func readPaths(in settings: [UInt8]) {
    guard var parser = try? LuaParser(settings), let statements = try? parser.script() else {
      return
    }
    // Any run may be chosen.
    var paths: [String?] = []
    SyntaxWalker(visit: { expression, _ in
      for field in expression.fields ?? [] where field.name?.text == "lpath" {
        paths.append(field.value.string?.text)
      }
    }).walk(statements)
    for path in paths {
      if let path { add(path) } else { hasOthers = true }
    }
  }

  private mutating func add(_ path: String) {
    // Modules outside of the project are not read.
    templates += path.split(separator: ";").map(String.init).filter { !$0.hasPrefix("/") }
      .map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
  }

  /// The files in which a module is looked for, in this order, each with the folder that its name
  /// begins in, relative to the project's folder.
  func files(ofModule name: String) -> [(file: String, folder: String?)] {
    let stem = name.split(separator: ".").joined(separator: "/")
    return templates.map { template in
      let start = template.prefix { $0 != "?" }
      let folder = start.lastIndex(of: "/").map { String(start[..<$0]) }
      return (template.replacing("?", with: stem), folder)
    }
  }
}
