extension Array: TideConvertible where Element: TideConvertible {
  /// `string` for bytes, `any` for other elements.
  public static var valueType: ValueType { Element.self == UInt8.self ? .string : .any }

  /// Converts a list or a sequence, without metamethods; `[UInt8]` also converts a string.
  ///
  /// - Throws: ``ValueMismatch`` for another value, for a table with a gap or with other keys, or,
  ///   with its index, for an element that does not fit.
  public static func from(_ value: Value) throws -> [Element] {
    // A cast would process each byte.
    if Element.self == UInt8.self, let bytes = value.utf8 {
      return unsafeBitCast(bytes, to: [Element].self)
    }
    guard case .object(let object) = value else { throw mismatch(value) }
    if let box = object as? ValueBox<[Element]> { return box.content }
    let values: [Value]
    switch object {
    case let source as any ElementSource:
      if let numbers = try source.numbers(as: Element.self) { return numbers }
      values = try source.sequenceValues()
    case let box as AnyValueBox:
      guard case .sequence(let elements) = try box.form() else { throw mismatch(value) }
      values = elements
    default: throw mismatch(value)
    }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do { elements.append(try Element.from(value)) } catch let error as ValueMismatch {
        throw error.inside("[\(index + 1)]")
      }
    }
    return elements
  }

  /// A value that scripts see as a sequence, created at each read; for `[UInt8]`, a string.
  ///
  /// - Throws: No error itself. Reading the sequence throws if an element is nil or has no value in
  ///   scripts.
  public func toValue() throws -> Value {
    // A cast would process each byte.
    if Element.self == UInt8.self { return Value(utf8: unsafeBitCast(self, to: [UInt8].self)) }
    return .object(
      ValueBox(self) {
        .sequence(
          try self.enumerated().map { index, element in
            let value = try element.toValue()
            if case .null = value {
              throw ValueMismatch.unsuitable("[\(index + 1)]: a sequence holds no nil")
            }
            return value
          })
      })
  }

  private static func mismatch(_ value: Value) -> ValueMismatch {
    .expected(Element.self == UInt8.self ? "string" : "table", got: value)
  }
}

extension Dictionary: TideConvertible where Key: TideConvertible, Value: TideConvertible {
  /// `any`: a copy of a table has no declared type.
  public static var valueType: ValueType { .any }

  /// Converts all entries of a table or an object, without metamethods.
  ///
  /// - Throws: ``ValueMismatch`` for another value, or, with its key, for an entry that does not
  ///   fit.
  public static func from(_ value: TideValues.Value) throws -> [Key: Value] {
    guard case .object(let object) = value else {
      throw ValueMismatch.expected("table", got: value)
    }
    if let box = object as? ValueBox<[Key: Value]> { return box.content }
    if let name = (object as? any FunctionHolding)?.nameOfFunction {
      throw ValueMismatch.unsuitable("a value expected, but \(name) is a function")
    }
    let found: [(key: TideValues.Value, value: TideValues.Value)]
    switch object {
    case let source as any EntrySource: found = try source.entryValues()
    case let box as AnyValueBox:
      guard case .entries(let entries) = try box.form() else {
        throw ValueMismatch.expected("table", got: value)
      }
      found = entries
    default: throw ValueMismatch.expected("table", got: value)
    }
    var entries: [Key: Value] = [:]
    for (key, value) in found {
      do { entries[try Key.from(key)] = try Value.from(value) } catch let error as ValueMismatch {
        throw error.inside("[\(key.asKey)]")
      }
    }
    return entries
  }

  /// A value that scripts see as a table, created at each read. Entries of nil are omitted, as when
  /// nil is assigned.
  ///
  /// - Throws: No error itself. Reading an entry throws if it has no value in scripts.
  public func toValue() throws -> TideValues.Value {
    .object(
      ValueBox(self) {
        .entries(try self.map { (key: try $0.key.toValue(), value: try $0.value.toValue()) })
      })
  }
}

extension Value {
  /// A string from bytes: `string` if they are UTF-8, otherwise `bytes`.
  package init(utf8 bytes: [UInt8]) {
    self = String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
  }

  /// The bytes of a string; nil for other values.
  package var utf8: [UInt8]? {
    switch self {
    case .string(let string): Array(string.utf8)
    case .bytes(let bytes): bytes
    default: nil
    }
  }

  /// A key in the notation of scripts.
  fileprivate var asKey: String {
    switch self {
    case .string(let string): "\"\(string)\""
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    default: kindName
    }
  }
}
