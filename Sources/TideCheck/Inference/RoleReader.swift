import TideScript

/// Reads a value according to its type in the catalogue, and finds the strings in it that name
/// something.
///
/// ```swift
/// RoleReader(types).read(argument, as: "tidelock.Sort") { finding in … }   // each key's path
/// ```
///
/// It reads the elements of literal lists and the fields of literal options.
struct RoleReader {
  enum Finding {
    /// A string that names something.
    case name(LuaToken, NameRole)
    /// A string for a type that lists the allowed strings.
    case word(LuaToken, [String])
    /// A literal table for a class of options in the catalogue.
    case options(LuaExpression, String)
  }

  private let types: APITypes

  init(_ types: APITypes) { self.types = types }

  /// The depth to which tables and operators are followed.
  private static let budget = TextTypes.budget

  func read(_ value: LuaExpression, as type: String, _ found: (Finding) -> Void) {
    if types.texts.all.contains(type) { read(value, as: type, Self.budget, found) }
  }

  private func read(
    _ value: LuaExpression, as type: String, _ budget: Int, _ found: (Finding) -> Void
  ) {
    guard budget > 0 else { return }
    switch value.kind {
    case .parenthesized(let inner): read(inner, as: type, budget - 1, found)
    case .string(let token): read(token, as: type, found)
    case .table(let fields): read(value, fields, as: type, budget, found)
    case .operation(let parts, let signs) where signs.allSatisfy({ $0 == "and" || $0 == "or" }):
      for part in parts { read(part, as: type, budget - 1, found) }
    default: break
    }
  }

  private func read(_ token: LuaToken, as type: String, _ found: (Finding) -> Void) {
    let parts = types.alternatives(of: type, keepsRoles: true)
    if let role = parts.lazy.compactMap({ types.role(of: $0) }).first {
      return found(.name(token, role))
    }
    let words = parts.filter { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) }
    if !words.isEmpty { found(.word(token, words)) }
  }

  private func read(
    _ table: LuaExpression, _ fields: [LuaField], as type: String, _ budget: Int,
    _ found: (Finding) -> Void
  ) {
    let parts = types.alternatives(of: type, keepsRoles: true)
    if !fields.isEmpty, fields.isSequence, let list = parts.first(where: { $0.hasSuffix("[]") }) {
      let element = String(list.dropLast(2))
      for field in fields { read(field.value, as: element, budget - 1, found) }
      return
    }
    for part in parts {
      if let (key, value) = types.entry(of: part) {
        for field in fields {
          if let token = field.keyToken { read(token, as: key, found) }
          read(field.value, as: value, budget - 1, found)
        }
      } else if let name = types.className(of: String(part)), types.isOptions(name) {
        found(.options(table, name))
        let known = types.fields(of: name)
        for field in fields {
          let type =
            field.isElement
            ? types.classes[name]?.element : field.name.flatMap { known[$0.text] }
          if let type { read(field.value, as: type, budget - 1, found) }
        }
      }
    }
  }
}

extension LuaField {
  /// The key as a token, as if it were a string.
  fileprivate var keyToken: LuaToken? {
    guard let name else { return nil }
    if case .expression(let key) = key { return key.string }
    let range = name.start..<(name.start + name.text.utf8.count)
    return LuaToken(kind: .name, text: name.text, range: range, contentStart: name.start)
  }
}
