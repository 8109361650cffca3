import TideBindings
import TideScript

/// Finds the location of each step of a path in a string, one after the other.
struct PathStepLocator {
  private let bytes: [UInt8]
  private let range: Range<Int>
  private var offset: Int
  /// Whether the string contains no escape sequences.
  private let isPlain: Bool

  init(_ token: LuaToken, in source: LuaSource) {
    bytes = source.bytes
    range = token.range
    isPlain = token.contentStart != nil
    offset = token.contentStart ?? token.range.lowerBound
  }

  /// The byte offset at which the next step begins; the string's own offset if it contains escapes.
  mutating func next(_ step: PathStep) -> Int {
    guard isPlain else { return range.lowerBound }
    if let name = step.propertyName { return next(word: Array(name.utf8)) }
    guard let found = bytes[offset..<range.upperBound].firstIndex(of: UInt8(ascii: "@")) else {
      return offset
    }
    offset = found + 1
    while offset < range.upperBound, bytes[offset].continuesLuaName { offset += 1 }
    return found
  }

  /// The offset of an operator's argument.
  func argument(of step: PathStep) -> Int {
    guard isPlain else { return range.lowerBound }
    var found = offset
    while found < range.upperBound, !bytes[found].continuesLuaName { found += 1 }
    return found < range.upperBound ? found : offset
  }

  private mutating func next(word: [UInt8]) -> Int {
    var start = offset
    while start + word.count <= range.upperBound {
      let end = start + word.count
      if bytes[start..<end].elementsEqual(word),
        start == range.lowerBound || !bytes[start - 1].continuesLuaName,
        end == range.upperBound || !bytes[end].continuesLuaName
      {
        offset = end
        return start
      }
      start += 1
    }
    return offset
  }
}
