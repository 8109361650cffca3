/// A script without comments and without space that only people need: two thirds of it.
///
///     style(view, "top", 1 + 2);   // moves it   ──▶   style(view,"top",1 + 2);
///
/// It knows of JavaScript what the page's script has: a template holds no other one, and a comment is one
/// line.
enum ShortScript {
  static func make(_ script: [UInt8]) -> [UInt8] {
    var short: [UInt8] = []
    short.reserveCapacity(script.count)
    var index = 0
    while index < script.count {
      let byte = script[index]
      let next = index + 1 < script.count ? script[index + 1] : newline
      let last = short.last ?? newline
      switch byte {
      case slash where next == slash:
        index = script[index...].firstIndex(of: newline) ?? script.count
        continue
      case space where separating.contains(last) || separating.contains(next): break
      case space where last == newline: break
      case newline where continuing.contains(last) || last == newline: break
      case quote, apostrophe, backtick,
        slash where beforePatterns.contains(last):
        let end = end(ofLiteral: index, script)
        short += script[index..<end]
        index = end
        continue
      default: short.append(byte)
      }
      index += 1
    }
    return short
  }

  /// Where a text or a pattern ends that begins at an index.
  private static func end(ofLiteral start: Int, _ script: [UInt8]) -> Int {
    var index = start + 1
    while index < script.count, script[index] != script[start] {
      index += script[index] == backslash ? 2 : 1
    }
    return min(index + 1, script.count)
  }

  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")
  private static let quote = UInt8(ascii: "\"")
  private static let apostrophe = UInt8(ascii: "'")
  private static let backtick = UInt8(ascii: "`")
  /// Beside these no space is needed. `+` and `-` are none of them: `a - -b` is not `a--b`.
  private static let separating = Array("=,;:{}()[]<>?|&*!".utf8)
  /// After these no statement ends.
  private static let continuing = Array(",;{([".utf8)
  /// After these a slash begins a pattern, and does not divide.
  private static let beforePatterns = Array("(,=:[!&|?{};\n".utf8)
}
