import TideLua

/// A key of a dict: text or any bytes, told apart byte by byte.
///
/// Swift's strings count as equal where one composes what the other decomposes; to a script they are
/// two.
enum DictionaryKey {
  case text(String)
  /// What is not UTF-8.
  case bytes([UInt8])

  /// The key that a script gives; nil for what is no string.
  init?(_ value: LuaValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    default: return nil
    }
  }

  var luaValue: LuaValue {
    switch self {
    case .text(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }

  /// The key as text, repaired where it is none.
  var text: String {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }
}

extension DictionaryKey: Hashable {
  static func == (left: DictionaryKey, right: DictionaryKey) -> Bool {
    switch (left, right) {
    case (.text(let a), .text(let b)): a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8)
    case (.bytes(let a), .bytes(let b)): a == b
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .bytes(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

extension DictionaryKey: Comparable {
  static func < (left: DictionaryKey, right: DictionaryKey) -> Bool { left.text < right.text }
}
