/// The types in the catalogue that describe the meaning of texts, or list possible texts.
///
/// They are collected once, since most arguments are of other types and need no further analysis.
package struct TextTypes: Sendable {
  /// The types of parameters and fields.
  package private(set) var all: Set<String> = []
  /// The methods with such parameters, of all classes.
  package private(set) var methods: [String: [APITypes.Signature]] = [:]
  /// The types of such fields, of all classes.
  package private(set) var fields: [String: Set<String>] = [:]

  /// The nesting depth to which table types are searched.
  package static let budget = 6

  init() {}

  init(_ types: APITypes) {
    var asked: Set<String> = []
    func note(_ type: String) {
      if asked.insert(type).inserted, types.findsTexts(in: type) { all.insert(type) }
    }
    for signature in types.functions.values.joined() {
      for parameter in signature.parameters { note(parameter.type) }
    }
    for made in types.classes.values {
      for signature in [made.methods, made.functions].flatMap(\.values) {
        for parameter in signature.parameters { note(parameter.type) }
      }
      for type in made.fields.values { note(type) }
    }
    for made in types.classes.values {
      for (name, method) in made.methods
      where method.parameters.contains(where: { all.contains($0.type) }) {
        methods[name, default: []].append(method)
      }
      for (name, type) in made.fields where all.contains(type) {
        fields[name, default: []].insert(type)
      }
    }
  }
}

extension APITypes {
  /// The role of a text type.
  package func role(of type: Substring) -> NameRole? {
    type.hasPrefix("tidelock.") ? NameRole(rawValue: String(type.dropFirst(9))) : nil
  }

  /// The types of the keys and values of `table<K, V>`.
  package func entry(of type: Substring) -> (key: String, value: String)? {
    guard type.hasPrefix("table<"), type.hasSuffix(">") else { return nil }
    let parts = Self.parts(of: String(type.dropFirst(6).dropLast()), at: UInt8(ascii: ","))
    guard parts.count == 2 else { return nil }
    return (String(parts[0]), String(parts[1].drop { $0 == " " }))
  }

  /// Whether a text of a type, or a text in a table of it, has a role.
  package func names(_ role: NameRole, in type: String, _ budget: Int = TextTypes.budget) -> Bool {
    if budget == 0 { return false }
    return alternatives(of: type, keepsRoles: true).contains { part in
      if self.role(of: part) == role { return true }
      if part.hasSuffix("[]") { return names(role, in: String(part.dropLast(2)), budget - 1) }
      guard let (key, value) = entry(of: part) else { return false }
      return names(role, in: key, budget - 1) || names(role, in: value, budget - 1)
    }
  }

  /// Whether a type describes the meaning of texts, directly or in nested tables.
  fileprivate func findsTexts(in type: String, _ budget: Int = TextTypes.budget) -> Bool {
    if budget == 0 { return false }
    return alternatives(of: type, keepsRoles: true).contains { part in
      if part.hasPrefix("\"") || role(of: part) != nil { return true }
      if part.hasSuffix("[]") { return findsTexts(in: String(part.dropLast(2)), budget - 1) }
      if let (key, value) = entry(of: part) {
        return findsTexts(in: key, budget - 1) || findsTexts(in: value, budget - 1)
      }
      guard let name = className(of: String(part)), isOptions(name), let known = classes[name]
      else { return false }
      return known.fields.values.contains { findsTexts(in: $0, budget - 1) }
        || known.element.map { findsTexts(in: $0, budget - 1) } == true
    }
  }
}
