/// Markdown about scripts and running apps for editors. Their texts must not change the layout or
/// load anything.
package enum Markdown {
  /// Code within a sentence.
  package static func code(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let fence = Self.fence(around: line, least: 1)
    // A space separates a backtick from the fence.
    let needsRoom = line.isEmpty || line.hasPrefix("`") || line.hasSuffix("`")
    return needsRoom ? "\(fence) \(line) \(fence)" : fence + line + fence
  }

  /// Code in separate lines.
  package static func block(_ text: String, language: String = "") -> String {
    let fence = Self.fence(around: text, least: 3)
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }

  /// Text that may use Markdown, without images, which editors would load.
  package static func harmless(_ text: String) -> String {
    text.replacing("![", with: "!\\[")
  }

  /// A fence that is longer than any sequence of backticks in the text.
  private static func fence(around text: String, least: Int) -> String {
    var longest = 0
    var count = 0
    for byte in text.utf8 {
      count = byte == UInt8(ascii: "`") ? count + 1 : 0
      longest = max(longest, count)
    }
    return String(repeating: "`", count: max(least, longest + 1))
  }
}
