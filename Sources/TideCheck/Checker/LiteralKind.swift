import TideBindings
import TideScript

/// The kind of a literal, used to decide whether a declared type accepts it.
enum LiteralKind {
  case string(String)
  case number(String)
  case boolean(String)
  case table
  case function

  init?(_ expression: LuaExpression) {
    switch expression.kind {
    case .string(let token): self = .string(token.text)
    case .constant("true"), .constant("false"):
      guard case .constant(let text) = expression.kind else { return nil }
      self = .boolean(text)
    case .constant(let text):
      guard text.utf8.first.map({ $0.isLuaDigit || $0 == UInt8(ascii: ".") }) == true, text != "..."
      else { return nil }
      self = .number(text)
    case .unary("-", let inner):
      guard case .number(let text)? = Self(inner) else { return nil }
      self = .number("-\(text)")
    case .table: self = .table
    case .function: self = .function
    case .parenthesized(let inner): self.init(inner)
    default: return nil
    }
  }

  /// The literal, as messages show it.
  var shown: String {
    switch self {
    case .string(let text): TransformCall.excerpt(text)
    case .number(let text), .boolean(let text): text
    case .table: "a table"
    case .function: "a function"
    }
  }

  /// Whether one of the alternatives of a type accepts it.
  ///
  /// - Parameter converts: whether text that can be read as a number counts as one, as in
  ///   arguments.
  func isAdmitted(by type: String, in types: APITypes, converts: Bool) -> Bool {
    types.alternatives(of: type).contains { isAdmitted(byPart: $0, in: types, converts) }
  }

  private func isAdmitted(byPart part: Substring, in types: APITypes, _ converts: Bool) -> Bool {
    if part.hasPrefix("\"") {
      guard case .string(let text) = self else { return false }
      return part == "\"\(text)\""
    }
    if part.hasPrefix("fun(") || part == "function" { return isFunction }
    if part.hasSuffix("]") || part.hasPrefix("{") || part.hasPrefix("table") { return isTable }
    switch part {
    case "string":
      if case .string = self { return true }
      return false
    case "boolean":
      if case .boolean = self { return true }
      return false
    case "true", "false":
      if case .boolean(let text) = self { return text == part }
      return false
    case "integer":
      switch self {
      case .number(let text): return Double(text).map { $0 == $0.rounded() } ?? true
      case .string(let text): return converts && Int(text) != nil
      default: return false
      }
    case "number":
      switch self {
      case .number: return true
      case .string(let text): return converts && Double(text) != nil
      default: return false
      }
    default:
      // An object is never a string, a number or a function. It may be of any other type.
      guard types.className(of: String(part)) != nil else { return true }
      return isTable
    }
  }

  private var isFunction: Bool { if case .function = self { true } else { false } }
  private var isTable: Bool { if case .table = self { true } else { false } }

  /// The values that a type accepts, in words for messages.
  static func wanted(_ type: String, in types: APITypes) -> String {
    var words: [String] = []
    for part in types.alternatives(of: type) {
      let word: String =
        switch part {
        case "string": "a string"
        case "number": "a number"
        case "integer": "a whole number"
        case "boolean": "true or false"
        case _ where part.hasPrefix("\""): String(part)
        case _ where part.hasPrefix("fun(") || part == "function": "a function"
        case _ where part.hasSuffix("]"): "a list"
        case _ where part.hasPrefix("{") || part.hasPrefix("table"): "a table"
        default: name(of: part, in: types)
        }
      if !words.contains(word) { words.append(word) }
    }
    guard let last = words.popLast() else { return "something else" }
    return words.isEmpty ? last : words.joined(separator: ", ") + " or " + last
  }

  private static func name(of part: Substring, in types: APITypes) -> String {
    if types.className(of: String(part)).map(types.isOptions) == true { return "a table" }
    return switch part {
    case "tidelock.DataObject": "a data object"
    case "tidelock.List": "a list"
    case "tidelock.View": "a view"
    default: part.hasPrefix("tidelock.") ? part.dropFirst(9).lowercased().withArticle : String(part)
    }
  }
}
