package import TideBindings
public import TideGraph

/// A column of a table: its heading, what its cells show, how wide it is, how it is sorted.
///
/// ```swift
/// table.columns = [
///   try TableColumn("Name", path: "name"),
///   try TableColumn("Price", path: "price | format(\"%.2f\")", width: 10),
/// ]
/// ```
///
/// Of a path the cells show what it leads to from the row's object, live; transformers may follow
/// it. Without a path and without a function for cells they show the row itself.
public struct TableColumn {
  /// What stands above it.
  public var title: String
  /// The column's name, in the table's `sort` and for what is kept over a reload: the path without
  /// transformers, else the title.
  public var key: String
  /// In cells; nil for what the column's content needs.
  public var width: Int?
  /// The least width in cells; nil for none.
  public var minWidth: Int?
  /// The greatest width in cells; nil for none.
  public var maxWidth: Int?
  /// Its share of what room is left; 1 for a column without a width.
  public var grow: Double?
  /// `start`, `center` or `end`; nil puts numbers at the end and everything else at the start.
  public var align: String?
  /// What stands for nil; nothing unless it is given.
  public var null: String?
  /// Makes the view that shows a row's value, in place of a label.
  public var makeCell: ((_ object: Value, _ index: Int) throws -> View?)?
  /// How rows are sorted by this column; nil when they are not.
  public var sorting: Sorting?
  let expression: ViewExpression?
  let pathText: String?
  package var location: SourceLocation?

  /// What the rows are sorted by.
  ///
  /// ```swift
  /// var column = try TableColumn("Name", path: "name")
  /// column.sorting = .path("family")
  /// ```
  public enum Sorting {
    /// What a path from the row's object leads to.
    case path(String)
    /// What a function gives for a row.
    case key((Value) throws -> Value)
    /// A comparison, true where the first row comes before the second.
    case comparison((Value, Value) throws -> Bool)
  }

  /// Makes a column of what a path leads to from each row; without one, of the rows themselves.
  ///
  /// - Throws: `syntax`, `unknownOperator` or another code of expressions when the text is not a
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

  /// The same order for rows that a table sorts itself, or a controller for it.
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

  /// The value that the path leads to, to distinguish numbers from text.
  func value(of object: Value) -> Value {
    guard let expression else { return object }
    guard case .object(let object as DataObject) = object else { return .null }
    return (try? PathReader.read(expression.path.steps[...], from: object).value) ?? .null
  }
}

extension TableColumn {
  /// What its texts take.
  package var textBytes: Int {
    title.utf8.count + key.utf8.count + (pathText?.utf8.count ?? 0) + (align?.utf8.count ?? 0)
      + (null?.utf8.count ?? 0)
  }

  package static let names = [
    "title", "key", "path", "width", "minWidth", "maxWidth", "grow", "align", "sort", "cell",
    "null",
  ]
  package static let alignments = ["start", "center", "end"]

  /// Reads a column that is given as an object, or as the name of a property.
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

  /// Reads a column's fields; `cell`, and functions to sort by, are left to the caller.
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

  /// `first_name` and `firstName` read as `First name`.
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
