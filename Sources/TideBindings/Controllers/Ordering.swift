public import TideGraph

/// The order of a list controller's rows.
///
/// ```swift
/// controller.sort = try .key("name", ascending: false)
/// ```
public struct Ordering {
  private let arrange: (ValueList) -> ValueList

  /// Sorts by several keys: each one decides between rows that are equal in all keys before it.
  ///
  /// - Throws: `syntax` or another path error for an invalid path, and `badArgument` for no keys.
  public static func keys(_ keys: [SortKey]) throws -> Ordering { try Self.keys(keys, in: nil) }

  /// - Parameter table: the table that charges its app for the paths; nil for none.
  private static func keys(_ keys: [SortKey], in table: BindingTable?) throws -> Ordering {
    let parts = try keys.map { key in
      let part = SortKeys.Part(isDescending: !key.ascending, order: key.order)
      // Without a path the rows themselves are compared.
      if key.path.isEmpty { return (key: { (row: Value) throws -> Value in row }, part: part) }
      let path = try RowPath(key.path, in: table) { Self.mismatch(of: $0, sortedBy: key.path) }
      return (key: { try path.key(of: $0) }, part: part)
    }
    guard let first = parts.first else {
      throw TideError(.badArgument, "there is no key to sort by; give nil for the list's own order")
    }
    if parts.count == 1 {
      return Ordering { list in
        SortedList(
          list, descending: first.part.isDescending, order: first.part.order, by: first.key)
      }
    }
    return Ordering { SortedList($0, by: parts) }
  }

  /// Sorts by the value of a path from each row.
  ///
  /// - Throws: `syntax` or another path error for an invalid path.
  public static func key(_ path: String, ascending: Bool = true) throws -> Ordering {
    try keys([SortKey(path, ascending: ascending)])
  }

  /// Sorts by the result of a function of each row.
  public static func by(
    descending: Bool = false, _ key: @escaping (Value) throws -> Value
  ) -> Ordering {
    Ordering { $0.sorted(descending: descending, by: key) }
  }

  /// Sorts by a comparison, which returns true if the first row comes before the second.
  public static func comparing(_ comesBefore: @escaping (Value, Value) throws -> Bool) -> Ordering {
    Ordering { $0.sorted(comparing: comesBefore) }
  }

  /// Returns a list of another list's rows in this order, which follows that list.
  package func sorted(_ list: ValueList) -> ValueList { arrange(list) }

  private static func mismatch(of row: Value, sortedBy path: String) -> TideError {
    TideError(
      .wrongType, "the rows are sorted by their \(path), but one is \(row.typeAndPreviewPhrase)")
  }
}

/// A script's function as closures of rows, made by the script layer.
package struct RowClosures {
  package var parameterCount: Int
  package var passes: (Value) throws -> Bool
  package var key: (Value) throws -> Value
  package var isOrdered: (Value, Value) throws -> Bool

  package init(
    parameterCount: Int, passes: @escaping (Value) throws -> Bool,
    key: @escaping (Value) throws -> Value, isOrdered: @escaping (Value, Value) throws -> Bool
  ) {
    self.parameterCount = parameterCount
    self.passes = passes
    self.key = key
    self.isOrdered = isOrdered
  }
}

/// The value of `filter` or `sort` that was set from Swift.
final class Arrangement {
  enum Kind {
    case order(Ordering)
    case filter((Value) throws -> Bool)
  }
  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}

extension Ordering {
  /// Converts the value of the property `sort`; nil for the list's own order.
  ///
  /// The value is a name or path, with a leading `-` for descending; a key with `key` and
  /// `descending` or `ascending`; a list of these; or a function, of one row for its key or of two
  /// to compare them.
  package init?(_ value: Value, in table: BindingTable) throws {
    switch value {
    case .null: return nil
    case .object(let arrangement as Arrangement):
      guard case .order(let order) = arrangement.kind else { throw Self.mismatch(value) }
      self = order
    case .object(let object) where !(object is DataObject):
      guard let closures = table.hooks.rowFunctions?(object) else { throw Self.mismatch(value) }
      self = closures.parameterCount == 1 ? .by(closures.key) : .comparing(closures.isOrdered)
    case .object(let list as ValueList):
      let keys = try list.values.map(Self.sortKey)
      if keys.isEmpty { return nil }
      self = try .keys(keys, in: table)
    default: self = try .keys([Self.sortKey(value)], in: table)
    }
  }

  /// Throws if the value is not valid for `sort`. The error names the controller.
  static func check(_ value: Value, of controller: DataObject) throws {
    do {
      _ = try Ordering(value, in: .of(controller.graph))
    } catch var error as TideError {
      error.message = "\(controller.label): \(error.message)"
      throw error
    }
  }

  private static func sortKey(_ value: Value) throws -> SortKey {
    switch value {
    case .string(let text) where text.hasPrefix("-"):
      return SortKey(String(text.dropFirst()), ascending: false)
    case .string(let text): return SortKey(text)
    case .object(let object as DataObject) where !(object is ValueList):
      let known = ["key", "ascending", "descending", "order"]
      for property in object.shape.properties where !known.contains(property.name) {
        throw TideError(
          .badArgument,
          "a sort key has no \"\(property.name.inMessage)\"\(NearestName.hintOrNames(for: property.name, in: known))"
        )
      }
      let order = try textOrder(object["order"])
      let isDescending = object["descending"] == true || object["ascending"] == false
      // An order without a key sorts the rows themselves, which are texts.
      let isOfRows = object["key"] == .null && order != nil
      guard case .string(let path) = isOfRows ? "" : object["key"] else { throw mismatch(value) }
      var key = SortKey(path, ascending: !isDescending)
      key.order = order ?? .language
      return key
    default: throw mismatch(value)
    }
  }

  /// Nil if no order is given.
  private static func textOrder(_ value: Value) throws -> TextOrder? {
    if value.isNil { return nil }
    if case .string(let name) = value, let order = TextOrder(rawValue: name) { return order }
    let names = TextOrder.allCases.map(\.rawValue)
    throw TideError(
      .badArgument,
      "the order of a sort key is \(names.map { "\"\($0)\"" }.joined(separator: ", ")), not "
        + value.typeAndPreview)
  }

  private static func mismatch(_ value: Value) -> TideError {
    TideError(
      .badArgument,
      "sort is a property's name (\"-name\" for descending), { key = \"name\", descending = true },"
        + " a list of these, a function or nil; not \(value.typeAndPreview)")
  }
}

/// A key to sort rows by: a property, or a path from each row.
///
/// ```swift
/// people.sort = try .keys([SortKey("last"), SortKey("age", ascending: false)])
/// ```
public struct SortKey: Equatable, Sendable {
  /// The path from each row to the value that is compared.
  public var path: String
  /// Whether the lowest value comes first.
  public var ascending: Bool
  /// How texts are compared.
  package var order = TextOrder.language

  /// Sorts by a path.
  public init(_ path: String, ascending: Bool = true) {
    self.path = path
    self.ascending = ascending
  }
}
