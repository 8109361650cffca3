/// Numbers that are read from bytes, so that a case can be saved, cut and replayed.
package struct ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position >= bytes.count }

  /// A number from 0 up to, but not including, a limit of at most 256; 0 at the end.
  package mutating func number(below limit: Int) -> Int {
    guard position < bytes.count, limit > 0 else { return 0 }
    position += 1
    return Int(bytes[position - 1]) % limit
  }

  package mutating func flag() -> Bool { number(below: 2) == 1 }
  package mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[number(below: choices.count)]
  }

  /// The shortest part of a failing input that is found to fail as well.
  package static func shortened(_ input: [UInt8], fails: ([UInt8]) -> Bool) -> [UInt8] {
    var best = input
    var size = best.count / 2
    var attempts = 0
    while size > 0, attempts < 2000 {
      var start = 0
      while start < best.count, attempts < 2000 {
        attempts += 1
        var shorter = best
        shorter.removeSubrange(start..<min(start + size, best.count))
        if fails(shorter) { best = shorter } else { start += size }
      }
      size /= 2
    }
    return best
  }
}
