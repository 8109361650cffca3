import TideGraph

/// The declared type of a property, which says what may be written to it.
///
/// `number` keeps an integer an integer and a float a float; `integer` refuses fractions.
public enum ValueType: UInt8, Sendable, CaseIterable {
  case any = 0
  case string = 1
  case number = 2
  case integer = 3
  case boolean = 4
  case object = 5
  case list = 6
  case dictionary = 7

  /// The name that scripts use.
  public var name: String {
    self == .dictionary ? "dict" : "\(self)"
  }

  public init?(name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// What a property that may not be nil and has no default of its own holds in place of nil.
  var empty: Value {
    switch self {
    case .string: ""
    case .number, .integer: 0
    case .boolean: false
    case .any, .object, .list, .dictionary: .null
    }
  }
}
