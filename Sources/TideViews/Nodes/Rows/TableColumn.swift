package import TideBindings
public import TideGraph

/// A column of a table: its heading, its cells' content, its width and its sort order.
///
/// ```swift
/// table.columns = [
///   try TableColumn("Name", path: "name"),
///   try TableColumn("Price", path: "price | format(\"%.2f\")", width: 10),
/// ]
/// ```
///
/// With a path, the cells show its value for the row's object and follow changes; transformers may
/// be appended. Without a path and a cell function they show the row itself.
public struct TableColumn {
  /// The heading.
  public var title: String
  /// The column's identifier in the table's `sort` and in state kept across reloads; by default the
  /// path without transformers, or else the title.
  public var key: String
  /// The width in cells; nil for the width of the content.
  public var width: Int?
  /// The minimum width in cells; nil for none.
  public var minWidth: Int?
  /// The maximum width in cells; nil for none.
  public var maxWidth: Int?
  /// The column's share of the remaining space; the default is 1 for a column without a width.
  public var grow: Double?
  /// `start`, `center` or `end`; nil aligns numbers at the end and everything else at the start.
  public var align: String?
  /// The text for a nil value; empty by default.
  public var null: String?
  /// Makes the view for a row's value, instead of a label. The index counts from 1.
  public var makeCell: ((_ object: Value, _ index: Int) throws -> View?)?
  /// The sort order of this column; nil if the column cannot be sorted by.
  public var sorting: Sorting?
  let expression: ViewExpression?
  let pathText: String?
  package var location: SourceLocation?

  /// The value or function that rows are sorted by.
  ///
  /// ```swift
  /// var column = try TableColumn("Name", path: "name")
  /// column.sorting = .path("family")
  /// ```
  public enum Sorting {
    /// The value of a path from the row's object.
    case path(String)
    /// The value that a function returns for a row.
    case key((Value) throws -> Value)
    /// A comparison that returns true if the first row precedes the second.
    case comparison((Value, Value) throws -> Bool)
  }

  /// Makes a column that shows the value of a path, or, without one, the rows themselves.
  ///
  /// - Throws: `syntax`, `unknownOperator` or another code of expressions if the text is not a
  ///   path.
  public init(_ title: String, path: String? = nil, key: String? = nil, width: Int? = nil) throws {
    self.title = title
    self.width = width
    pathText = path
    let expression = try path.map { try ViewExpression($0) }
    self.expression = expression
    let plain = expression.map { $0.path.description }
    self.key = key ?? plain ?? title
    sorting = plain.map { .path($0) }
  }

  /// The column's order, for a table that sorts its rows or for a controller.
  func ordering(descending: Bool) throws -> Ordering? {
    switch sorting {
    case nil: return nil
    case .path(let path): return try .key(path, ascending: !descending)
    case .key(let key): return .by(descending: descending, key)
    case .comparison(let isOrdered):
      if !descending { return .comparing(isOrdered) }
      return .comparing { try isOrdered($1, $0) }
    }
  }

  /// The value of the path, used to distinguish numbers from text.
  func value(of object: Value) -> Value {
    guard let expression else { return object }
    guard case .object(let object as DataObject) = object else { return .null }
    return (try? PathReader.read(expression.path.steps[...], from: object).value) ?? .null
  }
}

extension TableColumn {
  /// The size of its texts in bytes.
  package var textBytes: Int {
    title.utf8.count + key.utf8.count + (pathText?.utf8.count ?? 0) + (align?.utf8.count ?? 0)
      + (null?.utf8.count ?? 0)
  }

  package static let names = [
    "title", "key", "path", "width", "minWidth", "maxWidth", "grow", "align", "sort", "cell",
    "null",
  ]
  package static let alignments = ["start", "center", "end"]

  /// Parses a column from an object, or from the name of a property.
  package init(_ value: Value) throws {
    switch value {
    case .string(let path): try self.init(Self.title(of: path), path: path)
    case .object(let object as DataObject) where !(object is any ListObject):
      try self.init(fields: object.shape.properties.map { ($0.name, object[$0.name]) })
    default:
      throw TideError(
        .wrongType,
        "a column is a table such as { title = \"Name\", path = \"name\", width = 20 }, or the name "
          + "of a property; not \(value.typeAndPreview)")
    }
  }

  /// Parses a column's fields; the caller handles `cell` and functions for `sort`.
  package init(fields: [(name: String, value: Value)]) throws {
    var given: [String: Value] = [:]
    for (name, value) in fields {
      guard Self.names.contains(name) else {
        throw TideError(
          .unknownProperty,
          "a column has no \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: Self.names))"
        )
      }
      given[name] = value
    }
    let path = try Self.text("path", given) ?? Self.text("key", given)
    try self.init(
      try Self.text("title", given) ?? path.map(Self.title) ?? "", path: path,
      key: Self.text("key", given))
    width = try Self.cells("width", given)
    minWidth = try Self.cells("minWidth", given)
    maxWidth = try Self.cells("maxWidth", given)
    grow = try Self.number("grow", given)
    align = try Self.text("align", given)
    null = try Self.text("null", given)
    if let align, !Self.alignments.contains(align) {
      throw TideError(
        .badArgument,
        "a column's align is start, center or end, not \"\(align.inMessage)\""
          + NearestName.hint(for: align, in: Self.alignments))
    }
    switch given["sort"] ?? .null {
    case .boolean(false): sorting = nil
    case .boolean(true), .null: break
    case .string(let path):
      _ = try Path(path)
      sorting = .path(path)
    case let other: throw Self.mismatch("sort", "a path, a function, true or false", other)
    }
  }

  /// Converts `first_name` and `firstName` to `First name`.
  private static func title(of path: String) -> String {
    let name = path.prefix { $0 != "|" }.split(separator: ".").last ?? ""
    var words = ""
    for character in name where character != " " {
      if character == "_" {
        words.append(" ")
      } else if character.isUppercase && words.last?.isLowercase == true {
        words += " " + character.lowercased()
      } else {
        words.append(character)
      }
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private static func text(_ name: String, _ given: [String: Value]) throws -> String? {
    switch given[name] ?? .null {
    case .null: return nil
    case .string(let text): return text
    case let other: throw mismatch(name, "a text", other)
    }
  }

  private static func number(_ name: String, _ given: [String: Value]) throws -> Double? {
    let value = given[name] ?? .null
    if value == .null { return nil }
    guard let number = Double.make(from: value), number.isFinite, number >= 0 else {
      throw mismatch(name, "a number, 0 or more", value)
    }
    return number
  }

  private static func cells(_ name: String, _ given: [String: Value]) throws -> Int? {
    BoxStyle.cells(try number(name, given))
  }

  private static func mismatch(_ name: String, _ wanted: String, _ value: Value) -> TideError {
    TideError(
      .wrongType, "a column's \(name) is \(wanted), not \(value.typeAndPreview)")
  }
}
