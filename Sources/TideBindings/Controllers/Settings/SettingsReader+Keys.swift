import TideValues

// The keys of objects and dicts in a file of settings.
extension SettingsReader {
  /// Escapes a dict's key for the file.
  static func escaped(_ key: String) -> String { key.hasPrefix("$") ? "$" + key : key }

  static func unescaped(_ key: DictionaryKey) throws(Failure) -> String {
    guard key.text.utf8.first == UInt8(ascii: "$") else { return key.text }
    guard key.text.utf8.dropFirst().first == UInt8(ascii: "$") else {
      throw .broken("it has the unknown key \"\(key.text.inMessage)\"")
    }
    return String(key.text.unicodeScalars.dropFirst())
  }

  /// The entries of a dict.
  static func entries(
    of tree: JSONTree
  ) throws(TideError) -> [(DictionaryKey, JSONTree)] {
    guard case .object(let entries) = tree else {
      throw TideError(.settings, "expected an object in braces, found \(tree.kind)")
    }
    do {
      if let pairs = entries["$dict"] { return try Self.pairs(pairs) }
      var found: [(DictionaryKey, JSONTree)] = []
      for (key, value) in entries { found.append((.text(try unescaped(key)), value)) }
      return found
    } catch {
      guard case .broken(let reason) = error else { throw TideError(.settings, "\(error)") }
      throw TideError(.settings, reason)
    }
  }

  static func pairs(_ tree: JSONTree) throws(Failure) -> [(DictionaryKey, JSONTree)] {
    guard case .array(let pairs) = tree else { throw .broken("$dict is \(tree.kind)") }
    var found: [(DictionaryKey, JSONTree)] = []
    for pair in pairs {
      guard case .array(let parts) = pair, parts.count == 2 else {
        throw .broken("$dict holds \(pair.kind)")
      }
      switch parts[0] {
      case .string(let text): found.append((.text(text), parts[1]))
      case .object(let entries):
        guard case .string(let digits)? = entries["$bytes"], let bytes = bytes(digits) else {
          throw .broken("a key of $dict is not a string")
        }
        found.append((.bytes(bytes), parts[1]))
      default: throw .broken("a key of $dict is \(parts[0].kind)")
      }
    }
    return found
  }
}
