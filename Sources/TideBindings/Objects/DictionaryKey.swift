package import TideGraph

/// A key of a dict: text or any bytes, told apart byte by byte.
///
/// Swift's strings count as equal where one composes what the other decomposes; to a script they are
/// two.
package enum DictionaryKey {
  case text(String)
  /// What is not UTF-8.
  case bytes([UInt8])

  /// The key as a value.
  package var value: Value {
    switch self {
    case .text(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }

  /// The key that a value is; nil for what is no string.
  package init?(_ value: Value) {
    switch value {
    case .string(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    default: return nil
    }
  }

  /// The key as text, repaired where it is none.
  package var text: String {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
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
  package static func < (left: DictionaryKey, right: DictionaryKey) -> Bool {
    left.text < right.text
  }
}
