import TideBindings
import TideGraph
import TideLua

/// A declared property: the result of `property {…}` or `computed(…)`, or a plain default.
final class PropertyDeclaration {
  private var type: ValueType = .any
  private var isNullable = false
  private var isReadOnly = false
  private var mergesTexts = false
  private var cases: [String]?
  private var summary: String?
  private var initial: PropertyDescription.InitialValue = .null
  private var messages = EditMessages()
  private var validator: LuaFunction?
  private var getter: LuaFunction?
  private var setter: LuaFunction?
  /// The default, if it is plain data: a list, a dict or an anonymous object.
  private var given: DataObject?
  /// A hash of the default; see `Runtime.fingerprints(of:)`.
  private(set) var fingerprint = 0

  /// A property with a default, which determines its type.
  ///
  /// With `copies`, each object gets its own copy of a default table.
  init(default value: LuaValue, copies: Bool, in runtime: Runtime) throws {
    try take(default: value, copies: copies, in: runtime)
  }

  init(get getter: LuaFunction, set setter: LuaFunction?) {
    self.getter = getter
    self.setter = setter
    isReadOnly = setter == nil
    isNullable = true
  }

  static let optionNames = [
    "default", "type", "nullable", "readonly", "enum", "validate", "description", "message",
    "invalid", "required", "merge",
  ]

  /// Reads the options of `property {…}`.
  init(options: LuaTable, in runtime: Runtime) throws {
    isNullable = true
    let options = try CallOptions(options, of: "property", Self.optionNames)
    let given = try options.value("default")
    fingerprint = try runtime.fingerprint(of: given)
    try take(default: given, copies: true, in: runtime)
    if let name = try options.text("type") {
      guard let named = ValueType(name: name) else {
        let hint = NearestName.hintOrNames(for: name, in: ValueType.allCases.map(\.name))
        throw TideError(
          .badArgument,
          "the option \"type\" of property: there is no type \"\(name.inMessage)\"\(hint)")
      }
      try checkDefault(is: named)
      type = named
    }
    if let flag = try options.flag("nullable") {
      isNullable = flag
      if !flag, initial.isNull, let empty = type.emptyInitial { initial = empty }
    }
    isReadOnly = try options.flag("readonly") ?? false
    mergesTexts = try options.flag("merge") ?? false
    summary = try options.text("description")
    func message(_ name: String) throws -> EditMessages.Text? {
      try options.read(name, as: "a text or a function that gives one") {
        try Self.text($0, in: runtime)
      }
    }
    messages.message = try message("message")
    messages.invalid = try message("invalid")
    messages.required = try message("required")
    validator = try options.function("validate")
    if let given = try options.read("enum", as: "a list of names", Self.names) {
      switch initial {
      case .null, .string: break
      default:
        throw TideError(
          .wrongType,
          "a property with an enum has one of its names as default, not \(initial.value.literal)")
      }
      if case .string(let text) = initial, !given.contains(text) {
        throw TideError(
          .badArgument,
          "the default \"\(text.inMessage)\" is not in the enum\(NearestName.hintOrNames(for: text, in: given))"
        )
      }
      cases = given
      if case .null = initial, !isNullable, let first = cases?.first { initial = .string(first) }
      type = .string
    }
    if mergesTexts, type != .string || cases != nil {
      let kind = cases == nil ? "a property of type \(type.name)" : "a property with an enum"
      throw TideError(
        .badArgument,
        "the option \"merge\" of property: only texts are merged, and \(kind) holds none; leave "
          + "\"merge\" out, or declare type = \"string\"")
    }
  }

  /// A text, or a function that makes it from the entered value.
  private static func text(_ value: LuaValue, in runtime: Runtime) throws -> EditMessages.Text? {
    switch value {
    case .string(let text):
      guard let held = runtime.table.hold(text.utf8.count) else { return { _ in text } }
      return { _ in withExtendedLifetime(held) { text } }
    case .function(let function):
      let given = ThreadBound((try runtime.kept(function), runtime.home))
      return { value in
        let (function, home) = given.value
        let runtime = try home.requireRuntime()
        let result = try runtime.perform {
          try function.call([runtime.luaValue(value)]).first ?? .nil
        }
        if case .string(let text) = result { return text }
        throw TideError(.wrongType, "a message is a text, not \(result.preview)")
      }
    default: return nil
    }
  }

  /// The names of an enumeration; nil if there are none.
  private static func names(_ value: LuaValue) throws -> [String]? {
    guard let given = try value.table?.elements(of: "the enum"), !given.isEmpty else { return nil }
    let names = given.compactMap { if case .string(let name) = $0 { name } else { nil } }
    return names.count == given.count ? names : nil
  }

  private func checkDefault(is named: ValueType) throws {
    let fits =
      switch (named, type) {
      case (.any, _), (.number, .integer), (.integer, .number): true
      case (.dictionary, .object): true
      default: initial.isNull || named == type
      }
    var isWhole = true
    if named == .integer, case .number(let number) = initial {
      isWhole = Int(exactly: number) != nil
    }
    guard fits && isWhole else {
      throw TideError(
        .wrongType,
        "a property of type \(named.name) cannot have \(initial.value.literal) as default")
    }
  }

  private func take(default value: LuaValue, copies: Bool, in runtime: Runtime) throws {
    switch value {
    case .nil:
      initial = .null
      isNullable = true
      return
    case .boolean(let flag): (type, initial) = (.boolean, .boolean(flag))
    case .integer(let integer): (type, initial) = (.number, .integer(integer))
    case .number(let number): (type, initial) = (.number, .number(number))
    case .string(let text): (type, initial) = (.string, .string(text))
    case .table(let table) where try copies && !runtime.hasMetatable(table):
      // Copied for each object.
      type = try table.isSequence ? .list : .object
      // An invalid default is reported now, not when an object is made.
      _ = try runtime.copy(table)
      let copy = ThreadBound((table, runtime.home))
      initial = .make {
        guard let runtime = copy.value.1.runtime else { return .null }
        return (try? runtime.value(from: .table(copy.value.0))) ?? .null
      }
    default:
      let held = try runtime.value(from: value)
      if case .object(let object) = held {
        given = runtime.isPlainData(object) ? object as? DataObject : nil
        if object is ValueList {
          type = .list
        } else {
          type = object is DataObject ? .object : .any
        }
      }
      let copy = ThreadBound(held)
      initial = .make { copy.value }
    }
    isNullable = false
  }

  /// - Parameter copies: whether each object gets its own copy of lists, dicts and anonymous
  ///   objects, as it does of tables.
  func description(
    named name: String, copies: Bool, in runtime: Runtime
  ) -> PropertyDescription {
    var description = PropertyDescription(name, type, initial: initial)
    if copies, let given {
      let copy = ThreadBound((given, runtime.home))
      description.initial = .make {
        let (given, home) = copy.value
        guard let runtime = home.runtime else { return .null }
        return (try? runtime.copy(ofDefault: given)).map { .object($0) } ?? .null
      }
    }
    description.isNullable = isNullable
    description.isReadOnly = isReadOnly
    description.mergesTexts = mergesTexts
    description.cases = cases
    description.summary = summary
    if !messages.isEmpty { description.messages = messages }
    let home = ThreadBound(runtime.home)
    if let getter {
      let function = ThreadBound(getter)
      description.derive = { object in
        ScriptComputed(function.value, of: object, in: home.value.runtime)
      }
      if let setter {
        let function = ThreadBound(setter)
        description.assign = { object, value in
          guard let runtime = home.value.runtime else { return }
          try runtime.perform {
            _ = try function.value.call([
              runtime.luaValue(.object(object)), runtime.luaValue(value),
            ])
          }
        }
      }
    }
    if let validator {
      let function = ThreadBound(validator)
      description.validate = { [description] object, value in
        guard let runtime = home.value.runtime else { return value }
        return try runtime.validate(value, for: object, description.name, by: function.value) {
          try description.admit($0, of: object)
        }
      }
    }
    return description
  }
}

extension PropertyDescription.InitialValue {
  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Whether it is a scalar.
  var isScalar: Bool {
    switch self {
    case .boolean, .integer, .number, .string: true
    case .null, .make: false
    }
  }
}

extension ValueType {
  /// The first value of a property that may not be nil.
  fileprivate var emptyInitial: PropertyDescription.InitialValue? {
    switch self {
    case .string: .string("")
    case .number, .integer: .integer(0)
    case .boolean: .boolean(false)
    case .any, .object, .list, .dictionary: nil
    }
  }
}

extension Runtime {
  /// The options of `property`.
  package static var propertyOptionNames: [String] { PropertyDeclaration.optionNames }
}
