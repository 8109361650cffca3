import TideScript

/// What the SQL of an app means: the schema that its literal statements make, and what its literal
/// queries give.
///
/// A reader of SQL reads both; without one nothing is known.
final class QueryColumns {
  private let texts: SchemaTexts
  private let schemas: QuerySchemas?
  /// Made when a script has a query.
  private lazy var schema = schemas?.schema(of: texts.statements)
  /// Whether the app's own statements make all tables of its databases.
  private var ownsTables: Bool { texts.ownsTables && schema?.mayHaveOtherTables == false }

  /// - Parameter schemas: nil if nothing reads SQL.
  init(_ texts: SchemaTexts, _ schemas: QuerySchemas?) {
    self.texts = texts
    self.schemas = schemas
  }

  /// The names of the columns that a query gives; nil if unknown.
  func names(of sql: String) -> Set<String>? {
    guard let names = schema?.columns(of: sql), !names.isEmpty else { return nil }
    return Set(names)
  }

  /// The names of a statement's parameters, nil for those without one; nil if unknown.
  func parameters(of sql: String) -> [String?]? { schema?.parameters(of: sql) }

  /// Why a statement fails when it runs; nil if it may succeed.
  func failure(of sql: String) -> String? {
    // A statement of the schema has run there already.
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

  /// Why a text of a migration cannot be read.
  func syntaxFailure(inMigration sql: String) -> String? { schema?.syntaxFailure(in: sql) }
}

/// The literal texts of an app that make the schema of its databases.
struct SchemaTexts {
  private(set) var statements: [SchemaStatement] = []
  /// How many calls of `migrate` have literal texts only, and whether there are others.
  private var migrations = 0
  private var hasOtherMigrations = false
  /// The databases that `store.open` names, and whether it is given other names.
  private var databases: Set<String> = []
  private var opensOthers = false

  /// Whether each database is made by migrations that are all known.
  var ownsTables: Bool {
    !hasOtherMigrations && !opensOthers && !databases.isEmpty && migrations >= databases.count
  }

  /// Notes a text, if it may create, change or drop tables.
  mutating func note(_ text: String, isConditional: Bool) {
    guard Self.mayDeclare(text) else { return }
    statements.append(SchemaStatement(text, isCertain: !isConditional))
  }

  /// Notes what a call of `migrate` is given.
  mutating func note(migrations texts: LuaExpression?) {
    let isLiteral = Self.literalTexts(texts)?.allSatisfy { $0 != nil } ?? false
    if isLiteral { migrations += 1 } else { hasOtherMigrations = true }
  }

  /// Notes what a call of `store.open` is given.
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

  /// The elements of a literal table of texts, nil for those that are not literals; nil if there is
  /// no such table.
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

  /// Longer texts are data.
  private static let textLimit = 1 << 16

  /// A quick test whether a text may create, change or drop tables.
  static func mayDeclare(_ text: String) -> Bool {
    guard text.utf8.count <= textLimit else { return false }
    let words = text.utf8.split(maxSplits: 2) { !$0.continuesLuaName }.prefix(2)
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
    if let first = words.first, verbs.contains(first), words.count < 2 || objects.contains(words[1])
    {
      return true
    }
    // One after a comment, or after another statement.
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

/// The schemas of several apps, each made once.
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
