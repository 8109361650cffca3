import TideScript
import TideSystem

/// Where the test runner looks for the modules of specs below a project's folder: in the places of
/// `lpath` in `.busted`, or in busted's usual ones for runs without that setting.
///
/// ```lua
/// return { _all = { lpath = "lua/?.lua" } }     -- and not below src
/// ```
///
/// `.busted` is Lua; its tables are read as they are written, and nothing in it runs.
package struct SpecModulePath {
  /// The places without a setting.
  package static let standard = "./src/?.lua;./src/?/?.lua;./src/?/init.lua"

  private var templates: [String] = []
  /// Whether `.busted` computes places.
  private(set) var hasOthers = false
  /// Whether every run that `.busted` describes has its own places.
  private var replacesStandard = false

  /// Reads the file of a folder, if it has one.
  init(in folder: String) {
    let file = SystemPath.joined(folder, ".busted")
    let settings = try? ScriptFile.bytes(of: file, limit: 1 << 20, "a settings file")
    if let settings { readPaths(in: settings) }
    if !replacesStandard { add(Self.standard) }
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
    replacesStandard = Self.replacesStandard(in: statements)
  }

  /// Whether `_all` sets the path, or `default` and every other run.
  private static func replacesStandard(in statements: [LuaStatement]) -> Bool {
    guard case .results(let values)? = statements.last, var table = values.first else {
      return false
    }
    if case .name(_, let local?) = table.kind, !local.isReassigned, let value = local.value {
      table = value
    }
    guard let runs = table.fields else { return false }
    func setsPath(_ run: LuaExpression) -> Bool { run.fields?["lpath"] != nil }
    if let all = runs["_all"], setsPath(all) { return true }
    return runs["default"] != nil
      && runs.allSatisfy { $0.name?.text == "_all" || setsPath($0.value) }
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
