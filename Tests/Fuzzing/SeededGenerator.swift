/// Random numbers that a seed repeats: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Takes the seed from the environment variable `TIDELOCK_SEED`, or a new one, and prints it.
  package init(_ name: String) {
    state = FuzzRun.seed(of: name)
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in .random(in: 0...255, using: &self) }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

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
