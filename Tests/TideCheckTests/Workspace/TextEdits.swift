import FoundationEssentials
import Fuzzing
import TideBindings

@testable import TideCheck

/// Random edits as people make them: cuts, pastes, half-typed words, changed names.
enum TextEdits {
  static func random(
    of text: [UInt8], from others: [UInt8], using random: inout SeededGenerator
  ) -> [UInt8] {
    var text = text
    let start = Int.random(in: 0...text.count, using: &random)
    let length = min(text.count - start, Int.random(in: 0...40, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: text.removeSubrange(start..<(start + length))
    case 1:
      let from = Int.random(in: 0..<max(1, others.count), using: &random)
      text.insert(contentsOf: others[from..<min(others.count, from + length)], at: start)
    case 2: text.insert(contentsOf: words.randomElement(using: &random)?.utf8 ?? "".utf8, at: start)
    case 3: text.removeSubrange(start...)
    case 4:
      if let byte = text.indices.randomElement(using: &random) {
        text[byte] = UInt8.random(in: 0x20..<0x7f, using: &random)
      }
    default:
      // Renames a word everywhere.
      let names = text.split { !$0.continuesLuaName }
      guard let name = names.randomElement(using: &random) else { break }
      return Array(
        String(decoding: text, as: UTF8.self)
          .replacing(String(decoding: name, as: UTF8.self), with: "renamed").utf8)
    }
    return text
  }

  private static let words = [
    "models.", "view.", "local x = ", "bind \"", "\"", "end", " then", "function(", "{", "}", ")",
    "require \"", "--[[", "]]", ".", ":", " -> ", " | ", "return ", "@", "\n", "é", "\\",
  ]
}
