import TideBindings
import TideScript
import TideSystem

/// The scripts that are checked together, and which of them belong to the same app.
struct Workspace {
  enum Outcome {
    case failed(Problem)
    case read(Int)
  }

  private(set) var scripts: [Script] = []
  private let names: KnownNames
  private let syntax: SyntaxCheck
  /// The texts of files that are being edited, by their real paths.
  private let edited: [String: String]
  /// By the files' real paths.
  private var known: [String: Outcome] = [:]
  /// For each script another of its app, or itself.
  private var leaders: [Int] = []
  /// The folders whose scripts are one app all of them, by their real paths, and one of these.
  private var joined: [String: Int] = [:]
  /// The scripts that calls of `require` ask for.
  private var modules: [ObjectIdentifier: Script] = [:]

  /// - Parameter edited: texts that replace the contents of files, by path.
  init(names: KnownNames, syntax: SyntaxCheck, edited: [String: String] = [:]) {
    self.names = names
    self.syntax = syntax
    self.edited = Dictionary(
      edited.map { (Self.identity(of: $0.key), $0.value) }, uniquingKeysWith: { $1 })
  }

  // MARK: Reading

  /// Reads a file, unless it has been read.
  mutating func add(_ path: String) -> Outcome {
    let identity = Self.identity(of: path)
    if let known = known[identity] { return known }
    let outcome: Outcome
    do {
      outcome = add(try edited[identity] ?? ScriptFile.read(path), path: path)
    } catch {
      outcome = .failed(Self.failure(error, path))
    }
    known[identity] = outcome
    return outcome
  }

  private static func identity(of path: String) -> String { SystemPath.real(path) ?? path }

  mutating func add(_ text: String, path: String) -> Outcome {
    if text.utf8.allSatisfy({ $0 <= 0x20 }), !Self.isSpec(path) {
      let error = TideError(
        .scriptError, "the script is empty; declare a model, or return a view",
        location: SourceLocation(file: path, line: 1))
      return .failed(Problem(.error, error))
    }
    let bytes = Array(text.utf8)
    do { try syntax.check(text, path: path) } catch {
      let error = TideError(script: error)
      // Of a script that takes too long no more is read.
      if error.code == .scriptTime { return .failed(Problem(.error, error)) }
      let source = LuaSource(path: path, bytes: bytes)
      return .failed(Self.failure(SyntaxErrorLocator.located(error, in: source), path, source))
    }
    guard bytes.count <= ScriptCheck.sizeLimit else {
      return .failed(
        Self.unchecked(
          "the script has \(bytes.count >> 20) MiB; of more than "
            + "\(ScriptCheck.sizeLimit >> 20) only the syntax is checked", path))
    }
    return parse(bytes, path: path)
  }

  private mutating func parse(_ bytes: [UInt8], path: String) -> Outcome {
    let source = LuaSource(path: path, bytes: bytes)
    do throws(LuaParser.Failure) {
      var parser = try LuaParser(bytes)
      let script = Script(
        source, try parser.script(), index: scripts.count, isSpec: Self.isSpec(path))
      DeclarationCollector.take(script, names: names)
      scripts.append(script)
      leaders.append(script.index)
      return .read(script.index)
    } catch {
      let offset =
        switch error {
        case .unexpected(let offset), .tooDeep(let offset): offset
        }
      return .failed(
        Self.unchecked(
          "the script goes deeper here than a check follows; only its syntax is checked", path,
          source.location(of: offset)))
    }
  }

  /// Whether the test runner runs a script, or one of its specs does: a spec, or what lies below a
  /// folder `spec`, or beside specs.
  private static func isSpec(_ path: String) -> Bool {
    if path.hasSuffix("_spec.lua") { return true }
    let folder = ScriptFiles.folder(of: path)
    let folders = folder.split(separator: "/")
    if folders.suffix(4).contains("spec") { return true }
    guard folders.suffix(2).contains(where: { $0 == "test" || $0 == "tests" }) else { return false }
    return ScriptFiles.scripts(in: folder).contains { $0.hasSuffix("_spec.lua") }
  }

  /// The message about a link that is not followed.
  static func unfollowed(_ path: String, leaving folder: String) -> Problem {
    unchecked(
      "the link leads out of the folder \(folder), where require refuses it as well; "
        + "it is not followed unless it is named itself", path)
  }

  private static func unchecked(
    _ message: String, _ path: String, _ location: SourceLocation? = nil
  ) -> Problem {
    let location = location ?? SourceLocation(file: path, line: 1)
    return Problem(.warning, TideError(.notChecked, message, location: location))
  }

  private static func failure(
    _ error: any Error, _ path: String, _ source: LuaSource? = nil
  ) -> Problem {
    var error = error as? TideError ?? TideError(.unexpected, "\(error)")
    error.traceback = nil
    error.location = error.location ?? SourceLocation(file: path, line: 1)
    let line = source.flatMap { $0.lines.text(of: error.location?.line ?? 1) }
    return Problem(.error, error, line: line)
  }

  // MARK: Apps

  /// Reads what the scripts require.
  mutating func addRequired() { follow(from: 0) }

  /// Reads what the scripts require, and who requires those that were asked for.
  mutating func addRelated() {
    let asked = scripts.count
    follow(from: 0)
    joinSpecs()
    var folders: Set<String> = []
    var read = 0
    for script in scripts.prefix(asked) where !script.isSpec {
      for folder in ScriptFiles.homes(of: script.source.path).prefix(2) {
        guard folders.insert(folder).inserted else { continue }
        for file in ScriptFiles.scripts(in: folder) where read < ScriptCheck.neighbourLimit {
          read += 1
          guard Self.mayRequire(file) else { continue }
          let before = scripts.count
          _ = add(file)
          if scripts.count > before { follow(from: before) }
        }
      }
    }
  }

  /// Whether a file is worth a look: folders may hold large files of data beside an app.
  private static func mayRequire(_ file: String) -> Bool {
    guard let bytes = try? ScriptFile.bytes(of: file, limit: ScriptCheck.sizeLimit, "a script file")
    else { return false }
    return bytes.contains(word: "require")
  }

  /// Specs of one folder may expose things to each other.
  private mutating func joinSpecs() {
    var first: [String: Int] = [:]
    for script in scripts where script.isSpec {
      let folder = ScriptFiles.folder(of: script.source.path)
      if let other = first[folder] {
        join(other, script.index)
      } else {
        first[folder] = script.index
      }
    }
  }

  /// Reads what scripts require, from one on, and joins them with it.
  private mutating func follow(from first: Int) {
    var index = first
    while index < scripts.count {
      let script = scripts[index]
      let path = script.source.path
      for required in script.symbols.requires where !Self.isBuiltIn(required.name) {
        guard let file = ScriptFiles.module(required.name, requiredBy: path) else {
          noteMissing(required, script)
          continue
        }
        if case .read(let other) = add(file) {
          join(index, other)
          modules[ObjectIdentifier(required.call)] = scripts[other]
        }
      }
      for theme in script.symbols.themes {
        let module = "\(Runtime.themeFolder).\(theme)"
        guard let file = ScriptFiles.module(module, requiredBy: path) else { continue }
        if case .read(let other) = add(file) { join(index, other) }
      }
      if script.isSpec {
        for file in script.symbols.files {
          for home in ["."] + ScriptFiles.homes(of: path) {
            let candidate = file.hasPrefix("/") ? file : SystemPath.joined(home, file)
            guard SystemPath.real(candidate) != nil else { continue }
            if case .read(let other) = add(candidate) { join(index, other) }
            break
          }
        }
      }
      if script.symbols.requiresUnknown {
        joinAll(below: ScriptFiles.folder(of: path), with: index)
      }
      index += 1
    }
  }

  private static func isBuiltIn(_ name: String) -> Bool {
    name == "tidelock" || Runtime.libraryNames.contains(name)
  }

  /// A module that a spec wants may be anywhere where busted looks.
  private func noteMissing(
    _ required: (name: String, offset: Int, call: LuaExpression), _ script: Script
  ) {
    if script.isSpec {
      // Some of them make globals.
      script.symbols.makesGlobals = true
      return
    }
    let parts = required.name.split(separator: ".", omittingEmptySubsequences: false)
    let stem = SystemPath.joined(
      ScriptFiles.folder(of: script.source.path), parts.joined(separator: "/"))
    script.missingModules.append((required.name, stem, required.offset))
  }

  /// Joins a script with all that are in a folder or below it. Past the limit no more are read, but
  /// those that have been read may still be meant.
  private mutating func joinAll(below folder: String, with index: Int) {
    let identity = Self.identity(of: folder)
    if let other = joined[identity] { return join(index, other) }
    joined[identity] = index
    for file in (try? ScriptFiles.files(at: [folder])) ?? [] {
      let isKnown = known[Self.identity(of: file)] != nil
      guard isKnown || scripts.count < ScriptCheck.scriptLimit else { continue }
      if case .read(let other) = add(file) { join(index, other) }
    }
  }

  private mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (leader(of: first), leader(of: second))
    leaders[max(one, other)] = min(one, other)
  }

  private func leader(of index: Int) -> Int {
    var index = index
    while leaders[index] != index { index = leaders[index] }
    return index
  }

  /// The index of the app of each script that is asked for.
  func apps(of asked: [Int]) -> [Int: AppIndex] {
    var groups: [Int: [Script]] = [:]
    for script in scripts { groups[leader(of: script.index), default: []].append(script) }
    var indexes: [Int: AppIndex] = [:]
    var apps: [Int: AppIndex] = [:]
    for script in asked {
      let leader = leader(of: script)
      let index =
        indexes[leader] ?? AppIndex(groups[leader] ?? [], names: names, modules: modules)
      indexes[leader] = index
      apps[script] = index
    }
    return apps
  }
}

extension [UInt8] {
  func contains(word: String) -> Bool {
    let word = Array(word.utf8)
    guard let first = word.first else { return true }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: word) { return true }
      start = found + 1
    }
    return false
  }
}

/// One script that is checked: its text, its tree, and what it declares.
final class Script {
  let source: LuaSource
  let statements: [LuaStatement]
  /// Whether the test runner runs it.
  let isSpec: Bool
  /// Whether it is for editors alone and never runs, as what `tidelock types` writes.
  let isDefinitions: Bool
  let index: Int
  var symbols = SymbolTable()
  /// Whether it returns only at its end.
  let returnsOnce: Bool
  /// What it requires and nobody can find.
  var missingModules: [(name: String, stem: String, offset: Int)] = []

  /// The styles that it returns, where it is a file of the folder of themes.
  var themeFields: [LuaField] {
    guard
      ScriptFiles.folder(of: source.path).split(separator: "/").last
        == Substring(Runtime.themeFolder),
      case .results(let values)? = statements.last
    else { return [] }
    return values.first?.fields ?? []
  }

  init(_ source: LuaSource, _ statements: [LuaStatement], index: Int, isSpec: Bool) {
    self.source = source
    self.statements = statements
    returnsOnce = LuaFunctionBody.results(of: statements).count == 1
    isDefinitions = source.bytes.starts(with: "---@meta".utf8)
    self.index = index
    self.isSpec = isSpec
  }
}
