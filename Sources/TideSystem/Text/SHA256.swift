/// SHA-256, as in FIPS 180-4, and HMAC-SHA-256, as in RFC 2104.
///
/// ```swift
/// SHA256.hash(Array("abc".utf8)).hexadecimal      // ba7816bf 8f01cfea …, without the spaces
/// SHA256.authenticationCode(of: message, key: key)
/// ```
package enum SHA256 {
  /// The 32-byte hash of some bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var state = initial
    var words = [UInt32](repeating: 0, count: 64)
    let blocks = bytes.count / 64
    bytes.withUnsafeBytes { bytes in
      for block in 0..<blocks {
        compress(
          UnsafeRawBufferPointer(rebasing: bytes[block * 64..<block * 64 + 64]), &state, &words)
      }
    }
    // The final blocks are padded with a one bit, zeros, and the length in bits.
    var rest = Array(bytes[(blocks * 64)...])
    rest.append(0x80)
    while rest.count % 64 != 56 { rest.append(0) }
    let bits = UInt64(bytes.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      rest.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    rest.withUnsafeBytes { rest in
      for block in 0..<rest.count / 64 {
        compress(
          UnsafeRawBufferPointer(rebasing: rest[block * 64..<block * 64 + 64]), &state, &words)
      }
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// The 32-byte HMAC of a message, which only a holder of the key can compute.
  package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var key = key.count > 64 ? hash(key) : key
    key += [UInt8](repeating: 0, count: 64 - key.count)
    return hash(key.map { $0 ^ 0x5C } + hash(key.map { $0 ^ 0x36 } + message))
  }

  private static func compress(
    _ block: UnsafeRawBufferPointer, _ state: inout [UInt32], _ words: inout [UInt32]
  ) {
    for index in 0..<16 {
      words[index] = UInt32(
        bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
      let second = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let lower = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let upper = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let first = h &+ lower &+ choice &+ constants[index] &+ words[index]
      let second = upper &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let initial: [UInt32] = primes(8).map { fraction(of: Double($0).squareRoot()) }
  private static let constants: [UInt32] = primes(64).map { fraction(ofCubeRoot: $0) }

  private static func primes(_ count: Int) -> [Int] {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }

  /// The first 32 bits of the fraction; doubles represent them exactly for small numbers.
  private static func fraction(of root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 4_294_967_296)
  }

  private static func fraction(ofCubeRoot number: Int) -> UInt32 {
    // The largest 36-bit integer whose cube is at most the number shifted left by 96 bits. Computed
    // bit by bit, because doubles lack the precision for the last bit.
    var root: UInt64 = 0
    for bit in stride(from: 35, through: 0, by: -1) {
      let candidate = root | 1 << UInt64(bit)
      let square = candidate.multipliedFullWidth(by: candidate)
      // candidate³ ≤ number · 2⁹⁶, in 128 bits.
      let cube = UInt128(square.high) << 64 | UInt128(square.low)
      if cube * UInt128(candidate) <= UInt128(number) << 96 { root = candidate }
    }
    return UInt32(truncatingIfNeeded: root)
  }
}

extension Sequence<UInt8> {
  /// Two hexadecimal digits per byte.
  package var hexadecimal: String {
    map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
