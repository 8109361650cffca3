package import TideGraph
public import TideValues

/// One property of a class: its name, its type and its initial value.
///
/// ```swift
/// for property in person.shape.properties { print(property.name, property.type) }
/// ```
public struct PropertyDescription: Sendable {
  /// The property's name in scripts and paths.
  public var name: String
  /// The type of the values that it holds.
  public var type: ValueType
  /// Whether it may hold nil.
  public var isNullable: Bool
  /// Whether only the program can write it.
  public var isReadOnly: Bool
  /// The names of an enumeration's cases, whose indexes count from 1.
  public var cases: [String]?
  /// A one-line description for users.
  public var summary: String?
  /// Other names of the property.
  package var aliases: [String] = []
  package var initial: InitialValue
  /// Whether the property is no longer declared. Its index in objects is then empty.
  package var isRetired = false
  /// How several bindings of it are combined; nil if the last one wins.
  package var combination: Combination?
  /// A description of the allowed values if the type alone does not tell: "one of fig, pear".
  package var expectation: String?
  /// Whether a property of type `string` stores a `StyledText` unchanged.
  package var takesStyledText = false
  /// Whether concurrent writes of its text by several programs are merged.
  package var mergesTexts = false
  /// The messages for users who enter what it cannot hold; nil for the engine's own messages.
  package var messages: EditMessages?
  /// Accepts, replaces or refuses a value before it is written.
  package var validate: (@Sendable (DataObject, Value) throws -> Value)?
  /// Makes the body that computes the property's value. Such a property is not written directly.
  package var derive: (@Sendable (DataObject) -> ComputedBody)?
  /// Whether it is derived from state outside of the graph, and assigned values are stored there.
  package var isKeptOutside = false
  /// Receives a value that is written to a derived property.
  package var assign: (@Sendable (DataObject, Value) throws -> Void)?

  /// The value of a property when its object is made.
  package enum InitialValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    /// Made separately for each object.
    case make(@Sendable () -> Value)

    package var value: Value {
      switch self {
      case .null: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .string(let string): .string(string)
      case .make(let make): make()
      }
    }
  }

  package init(
    _ name: String, _ type: ValueType = .any, initial: InitialValue = .null,
    isNullable: Bool = false, isReadOnly: Bool = false
  ) {
    self.name = name
    self.type = type
    self.initial = initial
    self.isReadOnly = isReadOnly
    if case .null = initial { self.isNullable = true } else { self.isNullable = isNullable }
  }
}

extension PropertyDescription {
  /// Converts a value to one that the property may hold, as a binding to it would, or throws.
  package func converted(_ value: Value) throws(TideError) -> Value {
    if let cases, value != .null { return try value.converted(toOneOf: cases) }
    if takesStyledText, value.isStyledText { return value }
    return try value.converted(to: type, isNullable: isNullable, default: initial.value)
  }

  /// Returns the value in the form in which the property stores it, or throws `wrongType`.
  ///
  /// A direct assignment converts only an enumeration's names and indexes, and a whole float for an
  /// integer.
  package func admit(_ value: Value, of owner: DataObject) throws -> Value {
    if isNullable, case .null = value { return value }
    if let cases { return .string(try admit(value, among: cases, of: owner)) }
    switch (type, value) {
    case (.any, _): return value
    case (.string, .string), (.string, .bytes), (.number, .integer), (.number, .number),
      (.integer, .integer), (.boolean, .boolean):
      return value
    case (.string, .object) where takesStyledText && value.isStyledText: return value
    case (.object, .object(let object)) where !(object is any ListObject): return value
    case (.integer, .number(let number)):
      if let exact = Int(exactly: number) { return .integer(exact) }
    case (.list, .object(let object)) where object is any ListObject: return value
    case (.dictionary, .object(let object)) where object is DataObject: return value
    default: break
    }
    throw mismatch(value, of: owner)
  }

  private func admit(_ value: Value, among cases: [String], of owner: DataObject) throws -> String {
    switch value {
    case .string(let name) where cases.contains(name): return name
    case .integer(let index) where index >= 1 && index <= cases.count: return cases[index - 1]
    case .string(let name):
      throw TideError(
        .wrongType,
        """
        \(owner.label).\(self.name) is one of \(cases.joined(separator: ", ")), not \
        "\(name.inMessage)"\(NearestName.hint(for: name, in: cases))
        """)
    default: throw mismatch(value, of: owner)
    }
  }

  private func mismatch(_ value: Value, of owner: DataObject) -> TideError {
    let wanted =
      cases.map { "one of \($0.joined(separator: ", "))" } ?? expectation ?? type.name
    let hint = isNullable ? " or nil" : ""
    return TideError(
      .wrongType,
      "\(owner.label).\(name) holds \(wanted)\(hint), not \(value.typeAndPreview)")
  }
}

extension Value {
  /// Its type and the value as a short text, for messages: `integer (5)`, or `nil`.
  package var typeAndPreview: String {
    switch self {
    case .null: typeName
    case .object(let object as any NamedKind): object.kindName
    default: "\(typeName) \(preview)"
    }
  }

  /// The type and the value with an article: `an integer (5)`.
  package var typeAndPreviewPhrase: String {
    if case .null = self { typeName } else { typeAndPreview.withArticle }
  }

  /// The value as a short text; empty for nil.
  package var preview: String {
    switch self {
    case .null: ""
    case .boolean(let flag): "(\(flag))"
    case .integer(let integer): "(\(integer))"
    case .number(let number): "(\(number))"
    case .string(let string): "(\"\(string.beginning(40))\")"
    case .bytes(let bytes): "(\(bytes.count) bytes)"
    case .object(let object): "(\((object as? DataObject)?.shape.name ?? "\(type(of: object))"))"
    }
  }
}
