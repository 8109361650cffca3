import TideScript

/// The schema of an app's databases, from its literal SQL statements, and the columns of its
/// literal queries.
///
/// Both need a reader of SQL; without one nothing is known.
final class QueryColumns {
  private let texts: SchemaTexts
  private let schemas: QuerySchemas?
  /// Created when a script has a query.
  private lazy var schema = schemas?.schema(of: texts.statements)
  /// Whether the app's own statements create all tables of its databases.
  private var ownsTables: Bool { texts.ownsTables && schema?.mayHaveOtherTables == false }

  /// - Parameter schemas: nil without a reader of SQL.
  init(_ texts: SchemaTexts, _ schemas: QuerySchemas?) {
    self.texts = texts
    self.schemas = schemas
  }

  /// The names of a query's columns; nil if unknown.
  func names(of sql: String) -> Set<String>? {
    guard let names = schema?.columns(of: sql), !names.isEmpty else { return nil }
    return Set(names)
  }

  /// The names of a statement's parameters, nil for those without one; nil if unknown.
  func parameters(of sql: String) -> [String?]? { schema?.parameters(of: sql) }

  /// The reason why a statement would fail; nil if it may succeed.
  func failure(of sql: String) -> String? {
    // The schema already contains the result of this statement, so running it again would fail.
    if SchemaTexts.mayDeclare(sql) { return syntaxFailure(inMigration: sql) }
    return queryFailure(of: sql)
  }

  private func queryFailure(of sql: String) -> String? {
    switch schema?.read(sql) {
    case .failure(let message)?: message
    case .missingTable(let message)?: ownsTables ? message : nil
    case .columns?, .unknown?, nil: nil
    }
  }

  /// The syntax error of a migration; nil if there is none.
  func syntaxFailure(inMigration sql: String) -> String? { schema?.syntaxFailure(in: sql) }
}

/// The literal statements that create the schema of an app's databases.
struct SchemaTexts {
  private(set) var statements: [SchemaStatement] = []
  /// The number of calls of `migrate` with literal statements only, and whether there are others.
  private var migrations = 0
  private var hasOtherMigrations = false
  /// The databases that `store.open` opens by a literal name, and whether it is called with other
  /// names.
  private var databases: Set<String> = []
  private var opensOthers = false

  /// Whether each database is created by known migrations only.
  var ownsTables: Bool {
    !hasOtherMigrations && !opensOthers && !databases.isEmpty && migrations >= databases.count
  }

  /// Records a statement if it may create, change or drop tables.
  mutating func note(_ text: String, isConditional: Bool) {
    guard Self.mayDeclare(text) else { return }
    statements.append(SchemaStatement(text, isCertain: !isConditional))
  }

  /// Records the argument of a call of `migrate`.
  mutating func note(migrations texts: LuaExpression?) {
    let isLiteral = Self.literalTexts(texts)?.allSatisfy { $0 != nil } ?? false
    if isLiteral { migrations += 1 } else { hasOtherMigrations = true }
  }

  /// Records the argument of a call of `store.open`.
  mutating func note(database name: LuaExpression) {
    if let text = name.string?.text { databases.insert(text) } else { opensOthers = true }
  }

  mutating func formUnion(_ other: SchemaTexts) {
    statements += other.statements
    migrations += other.migrations
    hasOtherMigrations = hasOtherMigrations || other.hasOtherMigrations
    databases.formUnion(other.databases)
    opensOthers = opensOthers || other.opensOthers
  }

  /// The elements of a literal table of strings, with nil for each that is not a literal; nil if
  /// the table is not a literal.
  static func literalTexts(_ table: LuaExpression?) -> [LuaToken?]? {
    let fields = table?.fields ?? value(of: table)?.fields
    return fields?.map { field in
      guard field.isElement else { return nil }
      return field.value.string ?? value(of: field.value)?.string
    }
  }

  private static func value(of expression: LuaExpression?) -> LuaExpression? {
    guard case .name(_, let local?)? = expression?.kind, !local.isReassigned else { return nil }
    return local.value
  }

  /// The most bytes of a statement. Longer strings are data.
  private static let textLimit = 1 << 16

  /// A quick test whether a statement may create, change or drop tables.
  static func mayDeclare(_ text: String) -> Bool {
    guard text.utf8.count <= textLimit else { return false }
    let words = text.utf8.split(maxSplits: 2) { !$0.continuesLuaName }.prefix(2)
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
    if let first = words.first, verbs.contains(first), words.count < 2 || objects.contains(words[1])
    {
      return true
    }
    // The statement may follow a comment or another statement.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\n") }) else {
      return false
    }
    let lower = text.lowercased()
    return verbs.contains { verb in objects.contains { lower.contains("\(verb) \($0) ") } }
  }

  private static let verbs: Set<String> = ["create", "alter", "drop"]
  private static let objects: Set<String> = [
    "table", "view", "index", "unique", "trigger", "temp", "temporary", "virtual",
  ]
}

/// A cache of the schemas of several apps.
final class QuerySchemas {
  private let reader: any SQLReader
  private var known: [(statements: [SchemaStatement], schema: any SQLSchema)] = []
  private static let limit = 8

  init(_ reader: any SQLReader) { self.reader = reader }

  func schema(of statements: [SchemaStatement]) -> any SQLSchema {
    if let found = known.first(where: { $0.statements == statements }) { return found.schema }
    let made = reader.schema(of: statements)
    if known.count >= Self.limit { known.removeFirst() }
    known.append((statements, made))
    return made
  }
}
