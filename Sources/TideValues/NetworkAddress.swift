/// An IPv4 or IPv6 address.
///
/// ```swift
/// NetworkAddress("::ffff:127.0.0.1")?.isLocal      // true
/// NetworkAddress("0:0:0:0:0:0:0:1")?.description   // "::1"
/// NetworkAddress("127.1")                          // nil: a host name, not an address
/// ```
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes. An IPv4-mapped IPv6 address has 4.
  package let bytes: [UInt8]

  /// Parses four decimal numbers with dots, or an IPv6 address in any of its spellings, without
  /// brackets and without a zone.
  package init?(_ text: String) {
    if text.contains(":") {
      guard let bytes = Self.longBytes(text) else { return nil }
      let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [255, 255]
      self.bytes = isMapped ? Array(bytes[12...]) : bytes
    } else {
      guard let bytes = Self.shortBytes(text) else { return nil }
      self.bytes = bytes
    }
  }

  /// Whether the address is loopback, unspecified or link-local.
  package var isLocal: Bool {
    if bytes.count == 4 {
      return bytes[0] == 127 || bytes[0] == 0 || bytes[0] == 169 && bytes[1] == 254
    }
    if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return true }
    // ::, ::1, and the deprecated IPv4-compatible addresses.
    return bytes.prefix(12).allSatisfy { $0 == 0 }
  }

  /// Whether the first bits equal those of another address.
  package func matches(_ other: NetworkAddress, bits: Int) -> Bool {
    guard bytes.count == other.bytes.count, (0...bytes.count * 8).contains(bits) else {
      return false
    }
    return bytes.indices.allSatisfy { index in
      let counting = min(max(bits - index * 8, 0), 8)
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> counting)
      return (bytes[index] ^ other.bytes[index]) & mask == 0
    }
  }

  /// The canonical spelling, without brackets.
  package var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let words = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    var longest = 0..<0
    for start in words.indices {
      let end = words[start...].firstIndex { $0 != 0 } ?? words.count
      if end - start > max(longest.count, 1) { longest = start..<end }
    }
    func text(_ words: ArraySlice<Int>) -> String {
      words.map { String($0, radix: 16) }.joined(separator: ":")
    }
    if longest.isEmpty { return text(words[...]) }
    return text(words[..<longest.lowerBound]) + "::" + text(words[longest.upperBound...])
  }

  // MARK: Reading

  private static func shortBytes(_ text: some StringProtocol) -> [UInt8]? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      // Some parsers read a leading zero as octal.
      guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
        part.allSatisfy({ (48...57).contains($0) }),
        let byte = UInt8(String(decoding: part, as: UTF8.self))
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func longBytes(_ text: String) -> [UInt8]? {
    let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = words(halves[0], isLast: halves.count == 1) else { return nil }
    guard halves.count == 2 else { return first.count == 16 ? first : nil }
    guard let second = words(halves[1], isLast: true), first.count + second.count <= 14 else {
      return nil
    }
    return first + [UInt8](repeating: 0, count: 16 - first.count - second.count) + second
  }

  /// The bytes of words of up to four hexadecimal digits; the last part may be an IPv4 address.
  private static func words(_ text: Substring, isLast: Bool) -> [UInt8]? {
    if text.isEmpty { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if isLast, index == parts.count - 1, let short = shortBytes(part) { return bytes + short }
      guard (1...4).contains(part.utf8.count),
        part.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let word = UInt16(part, radix: 16)
      else { return nil }
      bytes += [UInt8(word >> 8), UInt8(word & 0xFF)]
    }
    return bytes.count <= 16 ? bytes : nil
  }
}
