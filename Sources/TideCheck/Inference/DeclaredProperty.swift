import TideBindings
import TideScript

/// The values that a script's declaration of a property allows: `property { enum = { "good", "poor"
/// } }`.
struct DeclaredProperty {
  private(set) var isReadOnly = false
  private(set) var isNullable = false
  /// The declared type; nil if any type is allowed or the type is unknown.
  private(set) var type: ValueType?
  /// Whether the type is inferred from a plain default.
  private(set) var isImplied = false
  /// The strings that are allowed; nil if there is no enum.
  private(set) var cases: [LuaToken]?

  /// Reads the value with which a table declares the property; nil if it gives no information.
  init?(_ value: LuaExpression, _ inference: TypeInference) {
    if let type = Self.type(ofDefault: value) {
      self.type = type
      isImplied = true
      return
    }
    guard case .call(let callee, let arguments) = value.kind else { return nil }
    switch inference.function(callee) {
    case "computed":
      guard arguments.count == 1 else { return nil }
      isReadOnly = true
    case "list": type = .list
    case "property":
      guard let fields = arguments.first?.fields, !fields.contains(where: { $0.name == nil }) else {
        return nil
      }
      read(fields)
    default: return nil
    }
  }

  private mutating func read(_ options: [LuaField]) {
    if case .constant("true")? = options["readonly"]?.kind { isReadOnly = true }
    let initial = options["default"]
    switch options["nullable"]?.kind {
    case nil: isNullable = initial == nil
    case .constant("false"): isNullable = false
    default: isNullable = true
    }
    if let names = options["enum"]?.fields {
      let texts = names.compactMap(\.value.string)
      if texts.count == names.count { cases = texts }
    } else if let name = options["type"] {
      type = name.string.flatMap { ValueType(name: $0.text) }
    } else {
      type = initial.flatMap(Self.type)
    }
  }

  private static func type(ofDefault value: LuaExpression) -> ValueType? {
    switch LiteralKind(value) {
    case .string: return .string
    case .number: return .number
    case .boolean: return .boolean
    case .table: return value.fields?.isSequence == true ? .list : .object
    case .function, nil: return nil
    }
  }

  /// The allowed values in words for messages; nil if the property accepts the literal.
  func wanted(insteadOf value: LuaExpression) -> String? {
    if case .constant("nil") = value.kind {
      if isNullable || type == .any { return nil }
      return cases.map { _ in "one of \(words)" } ?? type.map(\.name)
    }
    guard let kind = LiteralKind(value) else { return nil }
    if cases != nil {
      guard case .string(let text) = kind, !holds(text) else { return nil }
      return "one of \(words)"
    }
    guard let type, !Self.admits(kind, type) else { return nil }
    return isNullable ? "\(type.name) or nil" : type.name
  }

  /// Whether the property allows a string.
  func holds(_ text: String) -> Bool { cases?.contains { $0.text == text } ?? true }

  var words: String { cases?.map(\.text).joined(separator: ", ") ?? "" }

  private static func admits(_ kind: LiteralKind, _ type: ValueType) -> Bool {
    switch (kind, type) {
    case (_, .any), (.string, .string), (.number, .number), (.boolean, .boolean): true
    case (.table, .list), (.table, .object), (.table, .dictionary): true
    case (.number(let text), .integer): Double(text).map { $0 == $0.rounded() } ?? true
    default: false
    }
  }
}

extension TypeInference {
  /// All declarations of a property; nil if one of them gives no information.
  func declarations(of name: String, in owner: InferredType) -> [DeclaredProperty]? {
    guard let shape = shape(of: owner), !shape.isUntyped else { return nil }
    if case .table = owner { return nil }
    let values = shape.values(of: name)
    if values.isEmpty { return nil }
    let known = values.compactMap { DeclaredProperty($0, self) }
    if known.count < values.count { return nil }
    // Another object with properties of other types may replace it.
    if case .held = owner, !shape.isOfClass, known.contains(where: \.isImplied) { return nil }
    return known
  }
}
