public import TideValues

/// Variadic arguments at the end of a registered function's parameters, or variadic results.
///
/// ```swift
/// try state.register("sum") { (numbers: LuaVariadic<Double>) in numbers.reduce(0, +) }
/// try state.register("split") { (text: String, separators: LuaVariadic<String>) in
///   LuaVariadic(text.split { separators.contains(String($0)) }.map { String($0) })
/// }
/// // in a script: sum(1, 2, 3)   local first, second = split("a-b+c", "-", "+")
/// ```
///
/// It takes all remaining arguments, so it must be the last parameter. Error messages for its
/// elements count all arguments: "bad argument #3 to 'sum' (number expected, got nil)". Use
/// `LuaValue` for arguments of any type. Asynchronous functions of `LuaState` use `LuaArguments`
/// instead.
public struct LuaVariadic<Element: TideConvertible>: RandomAccessCollection {
  private let elements: [Element]

  /// Creates results, or arguments for a direct call from Swift.
  public init(_ elements: [Element]) { self.elements = elements }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements.count }
  /// The element at an index, from 0.
  public subscript(position: Int) -> Element { elements[position] }
}

extension LuaVariadic: Sendable where Element: Sendable {}

extension LuaVariadic: TideConvertible {
  /// `list`.
  public static var valueType: ValueType { .list }

  /// Not supported: several values cannot be read from one.
  ///
  /// - Throws: `ValueMismatch`, always.
  public static func from(_ value: Value) throws -> LuaVariadic {
    throw ValueMismatch.unsuitable("any number of arguments cannot be read as one; take an array")
  }

  /// The elements as a list, for use as a single value.
  ///
  /// - Throws: errors of converting an element.
  public func toValue() throws -> Value { try elements.toValue() }
}

/// A `LuaVariadic` of any element type.
protocol VariadicValues {
  static var element: any TideConvertible.Type { get }
  /// Reads the arguments from an index on.
  init(reading call: borrowing LuaCall, from first: Int) throws
  /// Adds the results.
  func add(to call: borrowing LuaCall) throws
  /// Adds the results of an asynchronous function.
  func add(to results: inout [LuaValue], in state: LuaState) throws
}

extension LuaVariadic: VariadicValues {
  static var element: any TideConvertible.Type { Element.self }

  init(reading call: borrowing LuaCall, from first: Int) throws {
    var elements: [Element] = []
    for index in first..<Swift.max(first, call.count) { elements.append(try call.argument(index)) }
    self.init(elements)
  }

  func add(to call: borrowing LuaCall) throws {
    for (index, element) in elements.enumerated() {
      try call.return(converting: element, index + 1)
    }
  }

  func add(to results: inout [LuaValue], in state: LuaState) throws {
    for element in elements { results.append(try element.toLua(in: state)) }
  }
}
