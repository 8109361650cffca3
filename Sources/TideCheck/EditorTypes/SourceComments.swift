import TideBindings
import TideScript

/// The comments of a script's declarations.
struct SourceComments {
  private let source: LuaSource

  init(_ source: LuaSource) { self.source = source }

  /// The lines of the comment that ends on the line above a byte, without their dashes.
  func above(_ offset: Int) -> [String] {
    var lines: [String] = []
    var number = source.location(of: offset).line - 1
    while number > 0 {
      if let comment = comment(inLine: number) {
        lines.append(comment)
      } else if !isAnnotation(inLine: number) {
        break
      }
      number -= 1
    }
    return lines.reversed()
  }

  /// The comment above a line that begins with the declaration, or else the comment behind it.
  func beside(_ start: Int, _ end: Int) -> [String] {
    let bytes = source.bytes
    let column = source.location(of: start).column ?? 1
    if bytes[(start - column + 1)..<start].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
      let above = above(start)
      if !above.isEmpty { return above }
    }
    var end = end
    while end < bytes.count,
      [UInt8(ascii: ","), UInt8(ascii: ";"), 0x20, 0x09].contains(bytes[end])
    {
      end += 1
    }
    guard bytes[end...].starts(with: "--".utf8) else { return [] }
    let line = bytes[end...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return Self.text(of: String(decoding: line, as: UTF8.self)[...]).map { [$0] } ?? []
  }

  private func comment(inLine number: Int) -> String? {
    guard let bytes = source.lines.text(of: number) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
    return Self.text(of: line)
  }

  /// Whether a line is an annotation such as `---@param`, which may separate a comment from its
  /// declaration.
  private func isAnnotation(inLine number: Int) -> Bool {
    guard let bytes = source.lines.text(of: number) else { return false }
    return bytes.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "---@".utf8)
  }

  /// The text of a line comment; nil for a comment over several lines, and for annotations, which
  /// belong to the script.
  private static func text(of line: Substring) -> String? {
    guard line.hasPrefix("--"), !line.hasPrefix("--[") else { return nil }
    let text = line.drop { $0 == "-" }
    if text.hasPrefix("@") || text.hasPrefix("!") { return nil }
    return String(text.drop { $0 == " " })
  }
}
