import TideBindings
import TideLua
package import TideScript

/// A fix for a problem: a replacement of some text in a script.
///
/// ```swift
/// if let fix = problem.fix(in: lines) { print(fix.title) }     // Change to "name"
/// ```
///
/// It applies the advice of the message.
package struct ProblemFix: Equatable {
  package let title: String
  /// The bytes to replace.
  package let range: Range<Int>
  package let replacement: String
  /// Whether the fix may be applied without review.
  package let isSure: Bool

  /// The fixes that can be applied together, in the order of the text: those that do not overlap.
  package static func apart(_ fixes: [ProblemFix]) -> [ProblemFix] {
    var kept: [ProblemFix] = []
    for fix in fixes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where kept.last.map({ $0.range.upperBound <= fix.range.lowerBound && $0 != fix }) ?? true {
      kept.append(fix)
    }
    return kept
  }
}

extension Problem {
  /// The fix that the message advises; nil if it advises none.
  ///
  /// - Parameter lines: the script as the checker read it.
  package func fix(in lines: ScriptLines) -> ProblemFix? {
    let source = FixSource(lines, error.location)
    return source.nearestName(error, isClear: isClear) ?? source.missingRequire(error.message)
      ?? source.global(error) ?? source.call(error, isSure: isClear) ?? source.arrow(error.message)
      ?? source.missingEnd(error)
  }
}

/// Finds the code that a message refers to.
private struct FixSource {
  let bytes: [UInt8]
  let offset: Int

  init(_ lines: ScriptLines, _ location: SourceLocation?) {
    bytes = lines.bytes
    offset = lines.offset(line: location?.line ?? 1, column: location?.column ?? 1)
  }

  private func stands(_ text: String, at start: Int) -> Bool {
    start >= 0 && start <= bytes.count && bytes[start...].starts(with: text.utf8)
  }

  /// Whether a name is at an offset, and is not a part of a longer name.
  private func isWord(_ name: String, at start: Int) -> Bool {
    guard let last = name.utf8.last, stands(name, at: start) else { return false }
    let end = start + name.utf8.count
    return !last.continuesLuaName || end == bytes.count || !bytes[end].continuesLuaName
  }

  /// `fruit has no property "nam"; did you mean "name"?`
  func nearestName(_ error: TideError, isClear: Bool) -> ProblemFix? {
    let message = error.message
    let beginning = "; did you mean \""
    guard message.hasSuffix("\"?"), let start = message.ranges(of: beginning).last else {
      return nil
    }
    let meant = String(message[start.upperBound...].dropLast(2))
    let wrong = Self.quoted(in: message[..<start.lowerBound]).lazy.compactMap { name in
      // The location of a string may be that of its quotation mark.
      [offset, offset + 1].first { isWord(name, at: $0) }.map { (name, $0) }
    }.first
    guard let (name, place) = wrong else { return nil }
    // The advice names an entry together with its table, which is already there.
    let isEntry =
      meant.contains(".") && !name.contains(".") && place > 0
      && bytes[place - 1] == UInt8(ascii: ".")
    let replacement = isEntry ? String(meant.split(separator: ".").last ?? "") : meant
    if replacement == name { return nil }
    // An assignment may be meant to declare a new variable.
    let isSure = isClear && error.code != .accidentalGlobal
    return ProblemFix(
      title: "Change to \"\(replacement)\"", range: place..<(place + name.utf8.count),
      replacement: replacement, isSure: isSure && Self.isSlip(name, for: replacement, error.code))
  }

  /// The quoted parts, last first, because messages name the mistake after its owner.
  private static func quoted(in text: Substring) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }.reversed()
  }

  /// Whether the difference is a typing slip, and the other word cannot be intended.
  private static func isSlip(_ wrong: String, for meant: String, _ code: TideError.Code) -> Bool {
    guard NearestName.isSlip(wrong, for: meant) else { return false }
    // A name can only be replaced by another name or by a constant.
    if LuaState.keywords.contains(meant) {
      return code == .unknownGlobal && ["nil", "true", "false"].contains(meant)
    }
    return wrong.isLuaName == meant.isLuaName
  }

  /// `os has no "now"; write now, which is a global`
  func global(_ error: TideError) -> ProblemFix? {
    guard error.code == .unknownMember, error.message.contains(", which is a global"),
      let name = Self.quoted(in: error.message[...]).first,
      let table = error.message.split(separator: " ").first
    else { return nil }
    let start = offset - table.utf8.count - 1
    guard stands("\(table).", at: start), isWord(name, at: offset) else { return nil }
    return ProblemFix(
      title: "Change to \(name)", range: start..<(offset + name.utf8.count), replacement: name,
      isSure: name != "exit")
  }

  /// `write local dates = require "dates"`
  func missingRequire(_ message: String) -> ProblemFix? {
    let beginning = "; write local "
    guard let start = message.ranges(of: beginning).first, message.contains(" = require \"") else {
      return nil
    }
    let statement = "local " + message[start.upperBound...]
    var lexer = LuaLexer(bytes, isTolerant: true)
    let first = (try? lexer.next().range.lowerBound) ?? 0
    return ProblemFix(
      title: "Insert \(statement)", range: first..<first, replacement: statement + lineEnd,
      isSure: true)
  }

  /// `the "if" of line 7 has no end: write it on that line`
  func missingEnd(_ error: TideError) -> ProblemFix? {
    guard error.code == .scriptSyntax, error.message.contains("has no end: write it"),
      let missing = MissingEnd.find(in: bytes)
    else { return nil }
    return ProblemFix(
      title: "Insert end", range: missing.insertion..<missing.insertion, replacement: missing.text,
      isSure: true)
  }

  /// The end of the script's first line.
  private var lineEnd: String {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return "\n" }
    return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  /// A dot in place of a colon, or the other way round.
  func call(_ error: TideError, isSure: Bool) -> ProblemFix? {
    guard error.code == .methodCall, offset > 0 else { return nil }
    let dot = bytes[offset - 1]
    switch dot {
    case UInt8(ascii: "."):
      return ProblemFix(
        title: "Call it with a colon", range: (offset - 1)..<offset, replacement: ":",
        isSure: isSure)
    case UInt8(ascii: ":") where error.message.contains(" as self; "):
      return passingSelf(error.message)
    case UInt8(ascii: ":"):
      return ProblemFix(
        title: "Call it with a dot", range: (offset - 1)..<offset, replacement: ".", isSure: true)
    default: return nil
    }
  }

  /// `a colon gives pay the class Account as self; write Account.pay(self, …)`
  private func passingSelf(_ message: String) -> ProblemFix? {
    guard message.hasSuffix("(self, …)") else { return nil }
    let name = bytes[offset...].prefix { $0.continuesLuaName }
    let rest = bytes[name.endIndex...].drop { $0 == UInt8(ascii: " ") }
    guard rest.first == UInt8(ascii: "(") else { return nil }
    // The blank keeps a length at the beginning from being read as a line for the shell.
    var lexer = LuaLexer([UInt8(ascii: " ")] + rest.dropFirst(), isTolerant: true)
    let isEmpty = (try? lexer.next())?.isSymbol(")") ?? true
    let call = ".\(String(decoding: name, as: UTF8.self))(self"
    return ProblemFix(
      title: "Call it with a dot and self", range: (offset - 1)..<(rest.startIndex + 1),
      replacement: isEmpty ? call : call + ", ", isSure: true)
  }

  /// `expected an arrow such as ->, <- or <> after "fruit.name", found "=>"`
  func arrow(_ message: String) -> ProblemFix? {
    guard message.contains("expected an arrow such as"),
      let found = Self.quoted(in: message[...]).first
    else { return nil }
    if ["=>", "=", "-->", "--", "-", ">", ">>"].contains(found), stands(found, at: offset) {
      return ProblemFix(
        title: "Change to ->", range: offset..<(offset + found.utf8.count), replacement: "->",
        isSure: found == "=>" || found == "-->")
    }
    guard offset < bytes.count, bytes[offset].startsLuaName else { return nil }
    return ProblemFix(
      title: "Insert ->", range: offset..<offset, replacement: "-> ", isSure: false)
  }
}
