/// A pattern of Lua's string library, read as the interpreter reads it.
///
/// ```lua
/// ("2026-03"):match "(%d+)-(%d+)"     -- two captures
/// ("2026-03"):match "(%d+"            -- a fault: unfinished capture
/// ```
struct LuaPattern {
  /// What is wrong with the pattern, in the interpreter's words; nil for a correct one.
  private(set) var fault: String?
  private(set) var captureCount = 0
  /// Whether a capture `()` gives an index instead of a text.
  private(set) var hasIndexCapture = false

  private static let captureLimit = 32

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var open: [Int] = []
    var closed: Set<Int> = []
    var index = 0
    while index < bytes.count, fault == nil {
      switch bytes[index] {
      case UInt8(ascii: "("):
        if captureCount == Self.captureLimit { fault = "too many captures" }
        captureCount += 1
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ")") {
          hasIndexCapture = true
          closed.insert(captureCount)
          index += 1
        } else {
          open.append(captureCount)
        }
        index += 1
      case UInt8(ascii: ")"):
        if let last = open.popLast() {
          closed.insert(last)
        } else {
          fault = "invalid pattern capture"
        }
        index += 1
      case UInt8(ascii: "["): index = skipSet(bytes, index + 1)
      case UInt8(ascii: "%"): index = skipEscape(bytes, index + 1, closed)
      default: index += 1
      }
    }
    if fault == nil, !open.isEmpty { fault = "unfinished capture" }
  }

  /// Skips a set from the byte behind its `[`.
  private mutating func skipSet(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    if index < bytes.count, bytes[index] == UInt8(ascii: "^") { index += 1 }
    repeat {
      guard index < bytes.count else {
        fault = "malformed pattern (missing ']')"
        return index
      }
      index += bytes[index] == UInt8(ascii: "%") ? 2 : 1
    } while index >= bytes.count || bytes[index] != UInt8(ascii: "]")
    return index + 1
  }

  /// Skips what follows a `%`.
  private mutating func skipEscape(_ bytes: [UInt8], _ start: Int, _ closed: Set<Int>) -> Int {
    guard start < bytes.count else {
      fault = "malformed pattern (ends with '%')"
      return start
    }
    switch bytes[start] {
    case UInt8(ascii: "b"):
      if start + 2 >= bytes.count { fault = "malformed pattern (missing arguments to '%b')" }
      return start + 3
    case UInt8(ascii: "f"):
      guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "[") else {
        fault = "missing '[' after '%f' in pattern"
        return start
      }
      return skipSet(bytes, start + 2)
    case let digit where digit.isLuaDigit:
      let number = Int(digit - UInt8(ascii: "0"))
      if !closed.contains(number) { fault = "invalid capture index %\(number)" }
      return start + 1
    default: return start + 1
    }
  }

  /// What is wrong with the text that `gsub` puts in the place of a match; nil for a correct one.
  func fault(inReplacement text: String) -> String? {
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      guard bytes[index] == UInt8(ascii: "%") else { continue }
      index += 1
      guard index < bytes.count, bytes[index] == UInt8(ascii: "%") || bytes[index].isLuaDigit else {
        return "invalid use of '%' in replacement string"
      }
      guard bytes[index].isLuaDigit else { continue }
      let number = Int(bytes[index] - UInt8(ascii: "0"))
      // Without captures, %1 is the whole match.
      if number > max(captureCount, 1) {
        return "invalid capture index %\(number) in replacement string"
      }
    }
    return nil
  }
}
