import TideGraph
import TideSystem

/// A key of a dict: text or any bytes, compared byte by byte.
///
/// Swift compares strings by canonical equivalence; to a script, equivalent strings differ.
package enum DictionaryKey {
  case text(String)
  /// A key that is not UTF-8.
  case bytes([UInt8])

  /// The key as a value.
  package var value: Value {
    switch self {
    case .text(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }

  /// The key of a value; nil for a value that is not a string.
  package init?(_ value: Value) {
    switch value {
    case .string(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    default: return nil
    }
  }

  /// The key as text, with invalid UTF-8 repaired.
  package var text: String {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): .repaired(bytes)
    }
  }

  /// The key as text for messages and pictures. Only the beginning of a long key is shown and
  /// repaired.
  package var excerpt: String {
    switch self {
    case .text(let text): text.inMessage
    case .bytes(let bytes):
      bytes.count <= 200
        ? text : "\(String.repaired(bytes, atMost: 200))… (\(bytes.count) bytes in all)"
    }
  }

  package var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }
}

extension DictionaryKey: Hashable {
  package static func == (left: DictionaryKey, right: DictionaryKey) -> Bool {
    switch (left, right) {
    case (.text(let a), .text(let b)): a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8)
    case (.bytes(let a), .bytes(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .bytes(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

extension DictionaryKey: Comparable {
  /// By bytes, which is the order of code points.
  ///
  /// Comparing them as Swift strings would repair and normalize them at each comparison.
  package static func < (left: DictionaryKey, right: DictionaryKey) -> Bool {
    left.withBytes { left in
      right.withBytes { right in
        let count = min(left.count, right.count)
        var order: Int32 = 0
        if count > 0, let left = left.baseAddress, let right = right.baseAddress {
          order = memcmp(left, right, count)
        }
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch self {
    case .text(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    case .bytes(let bytes): bytes.withUnsafeBytes(body)
    }
  }
}

extension Sequence {
  /// The elements sorted by their keys. A script may make any number of keys of any length, so the
  /// turn's clock is checked meanwhile.
  package func sorted(
    byKey key: (Element) -> DictionaryKey
  ) throws(WorkError) -> [Element] {
    var clock = WorkClock()
    do {
      return try sorted { left, right in
        let (left, right) = (key(left), key(right))
        try clock.step(bytes: Swift.min(left.byteCount, right.byteCount))
        return left < right
      }
    } catch {
      // The comparison throws nothing else.
      throw .time
    }
  }
}
