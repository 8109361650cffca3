/// Markdown that editors show of scripts and of running apps, whose texts must neither leave their
/// place nor load anything.
package enum Markdown {
  /// Code within a sentence.
  package static func code(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let fence = Self.fence(around: line, least: 1)
    // A blank beside a backtick keeps it out of the fence.
    let needsRoom = line.isEmpty || line.hasPrefix("`") || line.hasSuffix("`")
    return needsRoom ? "\(fence) \(line) \(fence)" : fence + line + fence
  }

  /// Code in lines of its own.
  package static func block(_ text: String, language: String = "") -> String {
    let fence = Self.fence(around: text, least: 3)
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }

  /// Text that may use Markdown, without pictures, which editors would load.
  package static func harmless(_ text: String) -> String {
    text.replacing("![", with: "!\\[")
  }

  /// A fence longer than any that the text has.
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
