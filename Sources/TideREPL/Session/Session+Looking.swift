import TideBindings
import TideGraph
import TideLua
import TideScript
import TideSystem

// Commands that show variables, the source of functions, and the history.
extension Session {
  /// The globals that the app and the session have added to those of Lua and the API.
  var ownVariables: [(name: String, value: LuaValue)] {
    var found: [(name: String, value: LuaValue)] = []
    try? runtime.lua.globals.forEach { key, value in
      if let name = key.string, !LibraryNames.globals.contains(name) { found.append((name, value)) }
      return found.count < Self.mostNames
    }
    return found
  }

  func listVariables() throws -> ChunkResult {
    let own = variableNames.filter { !Self.isResult($0) }
      .compactMap { name in variable(name).map { (name: name, value: $0) } }
    let hidden = Set(own.map(\.name))
    let all =
      own.sorted { $0.name < $1.name }
      + ownVariables.filter { !hidden.contains($0.name) }.sorted { $0.name < $1.name }
    if all.isEmpty { return .values(["There are no variables."]) }
    let lines = all.prefix(500).map { name, value in
      "\(name.escapingControls) = \(brief(value, beside: name.count + 3))"
    }
    let rest = all.count - lines.count
    return .values(rest > 0 ? lines + ["… \(rest) more"] : lines)
  }

  private static func isResult(_ name: String) -> Bool {
    name.hasPrefix("_") && name.dropFirst().allSatisfy(\.isNumber)
  }

  /// A value on one line, truncated to fit.
  func brief(_ value: LuaValue, beside columns: Int = 20) -> String {
    var printer = printer
    (printer.width, printer.limit, printer.depth) = (Int.max, 5, 2)
    let text = printer.text(of: value).replacing("\n", with: " ")
    let room = max(20, width - columns)
    return text.count > room ? text.prefix(room - 1) + "…" : text
  }

  // MARK: Source

  /// Shows a function's location and source.
  func showSource(_ expression: String) throws -> ChunkResult {
    let path = CodeBeforeCaret(expression).withoutMethod
    guard let chunk = try compile("return \(path)", isComplete: true) else {
      throw TideError(.metaCommand, "write :source function")
    }
    let value = try call(chunk).first ?? .nil
    guard case .function(let function) = value else {
      throw TideError(
        .metaCommand, "\"\(expression.inMessage)\" is \(value.preview), not a function")
    }
    guard let place = function.location else {
      throw TideError(
        .metaCommand,
        "the source of \"\(expression.inMessage)\" is not available: it is not a function of a script; "
          + "see :help \(expression.inMessage)"
      )
    }
    guard let text = sources[place.chunk] ?? readText(of: place.chunk) else {
      return .values([
        "\(place.chunk):\(place.line)", "The source of \(place.chunk) is not available.",
      ])
    }
    let lines = FunctionSource(text, beginningAt: place.line).lines
    let end = place.line + max(0, lines.count - 1)
    let heading =
      end > place.line ? "\(place.chunk):\(place.line)-\(end)" : "\(place.chunk):\(place.line)"
    return .values([heading.escapingControls] + lines.map(\.escapingControlsInLines))
  }

  /// The text of one of the app's scripts. Nil for other files, because scripts may give chunks any
  /// name.
  private func readText(of path: String) -> String? {
    runtime.modulePaths.contains(path) ? try? ScriptFile.read(path) : nil
  }

  // MARK: History

  func listHistory(_ count: String) throws -> ChunkResult {
    guard let most = count.isEmpty ? 50 : Int(count), most > 0 else {
      throw TideError(.metaCommand, "write :history or :history 20")
    }
    let texts = chunks.texts
    let shown = texts.suffix(most)
    if shown.isEmpty { return .values(["Nothing was run yet."]) }
    return .values(
      zip((texts.count - shown.count + 1)..., shown).map { "\($0)  \($1)".escapingControlsInLines })
  }
}

/// The source lines of a function within its chunk.
///
/// ```swift
/// FunctionSource("function f()\n  return 1\nend\nf()", beginningAt: 1).lines.count    // 3
/// ```
struct FunctionSource {
  let lines: [String]

  /// - Parameter line: the function's first line, from 1.
  init(_ text: String, beginningAt line: Int) {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard all.indices.contains(line - 1) else {
      lines = []
      return
    }
    let rest = all[(line - 1)...].joined(separator: "\n")
    let last = Self.end(of: rest).map { end in
      rest.utf8.prefix(end).count { $0 == UInt8(ascii: "\n") }
    }
    lines = Array(all[(line - 1)...].prefix((last ?? 0) + 1))
  }

  /// The end of the first function in a text, in bytes; nil if it is incomplete.
  private static func end(of text: String) -> Int? {
    let bytes = Array(text.utf8)
    var depth = 0
    for token in LuaTokens(bytes) where token.kind == .name {
      switch String(decoding: bytes[token.range], as: UTF8.self) {
      case "function": depth += 1
      case "do", "if", "repeat": if depth > 0 { depth += 1 }
      case "end", "until":
        if depth == 1 { return token.range.upperBound }
        depth = max(0, depth - 1)
      default: break
      }
    }
    return nil
  }
}

/// The texts that a session has run, with their chunk names and first lines, to show the source of
/// functions. Only the latest texts are retained.
struct ChunkSources {
  private var entries: [(name: String, line: Int, text: String)] = []
  private var bytes = 0

  private static let most = 1000
  private static let mostBytes = 4 << 20

  /// The source of a chunk name, with each text at its line; nil for an unknown name.
  subscript(name: String) -> String? {
    var whole: String?
    var lineCount = 1
    for entry in entries where entry.name == name {
      let gap = max(0, entry.line - lineCount)
      whole = (whole ?? "") + String(repeating: "\n", count: gap) + entry.text
      lineCount += gap + entry.text.utf8.count { $0 == UInt8(ascii: "\n") }
    }
    return whole
  }

  mutating func note(_ text: String, as name: String, line: Int) {
    // An incomplete text runs again with more lines, and a file may be loaded again.
    if let former = entries.lastIndex(where: { $0.name == name && $0.line == line }) {
      bytes -= entries.remove(at: former).text.utf8.count
    }
    entries.append((name, line, text))
    bytes += text.utf8.count
    guard entries.count > Self.most || bytes > Self.mostBytes else { return }
    // Removes half of them at once for amortized cost, but never the last one.
    entries.removeFirst(min(entries.count - 1, (entries.count + 1) / 2))
    bytes = entries.reduce(0) { $0 + $1.text.utf8.count }
  }
}
