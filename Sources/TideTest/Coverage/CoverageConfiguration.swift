import TideLua
import TideScript
import TideSystem

/// Selects the files that coverage measures. The file `.luacov` has luacov's format.
///
/// ```lua
/// return {
///   include = { "src/.+" }, exclude = { "src/vendor" }, modules = { fruit = "src/fruit.lua" },
///   includeuntestedfiles = { "src" }, threshold = 80,
/// }
/// ```
///
/// The entries of `include` and `exclude` are Lua patterns for paths relative to the project's
/// folder, without `.lua`; they may begin with `./`. Without `include`, specs, test folders and
/// installed modules are excluded.
struct CoverageConfiguration {
  private let matcher: PatternMatcher
  private let included: [String]
  private let excluded: [String]
  /// Folders and files that are reported even if no spec has loaded them.
  let untested: [String]
  /// The required line coverage in percent; nil for none.
  let threshold: Double?

  /// Reads the given configuration file, or `.luacov` if it exists.
  init(_ options: TestOptions) throws {
    matcher = try PatternMatcher()
    let given = options.coverageConfiguration
    guard let file = given ?? (access(".luacov", F_OK) == 0 ? ".luacov" : nil) else {
      (included, excluded) = ([], [])
      (untested, threshold) = (["."], nil)
      return
    }
    if given == nil { try options.bounds?.check(file, namedBy: "the project") }
    let lua = try ProjectInterpreter.make(options)
    let table = try Self.read(file, lua, options)
    included =
      try Self.patterns("include", in: table, file) + Self.modules(in: table, file)
    excluded = try Self.patterns("exclude", in: table, file)
    untested = try Self.untested(in: table, file)
    threshold = try Self.threshold(in: table, file)
    for pattern in included + excluded { _ = matcher.matches("", pattern) }
    if let problem = matcher.problems.first { throw TestSetupError("\(file): \(problem)") }
  }

  private static func read(
    _ file: String, _ lua: LuaState, _ options: TestOptions
  ) throws -> LuaTable {
    do {
      let source = try SpecFile.read(file).source
      // Older configuration files set globals instead of returning a table.
      let globals = try lua.load(
        "return setmetatable({}, { __index = _G })", name: "=globals"
      ).call([]).first?.table
      let results = try lua.run(source, name: "@" + file, environment: globals)
      guard let table = results.isEmpty ? globals : results.first?.table else {
        throw TestSetupError("\(file) does not return a table")
      }
      return table
    } catch let error as SpecFile.Unreadable {
      throw TestSetupError(error.message)
    } catch let error as LuaError {
      throw TestSetupError("\(file) cannot be run: \(error)\(ProjectInterpreter.hint(options))")
    }
  }

  private static func patterns(
    _ key: String, in table: LuaTable, _ file: String
  ) throws -> [String] {
    let value = try table.rawGet(.string(key))
    if value.isNil { return [] }
    guard let list = try value.table?.sequence() else {
      throw TestSetupError(
        "\(file): \(key) is \(value.preview), where a list of patterns is expected")
    }
    return list.compactMap(\.text)
  }

  /// The whole project unless the file sets `includeuntestedfiles` to false or to a list.
  private static func untested(in table: LuaTable, _ file: String) throws -> [String] {
    let value = try table.rawGet("includeuntestedfiles")
    if value.isNil || value.boolean == true { return ["."] }
    if value.boolean == false { return [] }
    guard let list = try value.table?.sequence() else {
      throw TestSetupError(
        "\(file): includeuntestedfiles is \(value.preview), where true, false or a list of folders "
          + "and files is expected")
    }
    return list.compactMap(\.text)
  }

  private static func threshold(in table: LuaTable, _ file: String) throws -> Double? {
    let value = try table.rawGet("threshold")
    if value.isNil { return nil }
    guard let number = value.number, (0...100).contains(number) else {
      throw TestSetupError("\(file): threshold is \(value.preview), where 0 to 100 is expected")
    }
    return number
  }

  /// Converts `modules` to patterns: `{ fruit = "src/fruit.lua", ["fruit.*"] = "src" }`.
  private static func modules(in table: LuaTable, _ file: String) throws -> [String] {
    let value = try table.rawGet(.string("modules"))
    if value.isNil { return [] }
    guard let entries = try value.table?.entries() else {
      throw TestSetupError("\(file): modules is \(value.preview), where a table is expected")
    }
    return entries.compactMap { key, path in
      guard let name = key.text, let path = path.text else { return nil }
      let plain = path.reduce(into: "") { text, sign in
        if !sign.isLetter && !sign.isNumber && sign != "/" { text += "%" }
        text.append(sign)
      }
      if name.hasSuffix("*") { return "^" + plain + "/" }
      return "^" + (plain.hasSuffix("%.lua") ? String(plain.dropLast(5)) : plain) + "$"
    }
  }

  /// Whether coverage includes a file of the project.
  func counts(_ path: String, isSpec: Bool) -> Bool {
    let name = path.hasSuffix(".lua") ? String(path.dropLast(4)) : path
    if matches(name, excluded) { return false }
    if !included.isEmpty { return matches(name, included) }
    let folders = path.split(separator: "/").dropLast()
    if folders.contains(where: { $0.hasPrefix(".") || $0 == "lua_modules" }) { return false }
    return !isSpec && !["spec", "test", "tests"].contains(folders.first ?? "")
  }

  private func matches(_ name: String, _ patterns: [String]) -> Bool {
    patterns.contains { pattern in
      [name, "./" + name].contains { matcher.matches($0, pattern) }
    }
  }
}
