import Fuzzing

/// Statements that bytes choose: valid ones for the most part, with extreme values, in a schema of
/// tables, views, triggers and indexes that they make themselves.
struct StatementGrammar {
  private var source: ByteSource
  /// How deep expressions and queries may nest further.
  private var depth = 5

  init(_ bytes: [UInt8]) { source = ByteSource(bytes) }

  var isAtEnd: Bool { source.isAtEnd }

  mutating func statement() -> String {
    depth = 5
    switch source.number(below: 16) {
    case 0:
      return
        "CREATE TABLE \(table()) (\(column()) \(type()), \(column()) \(constraint()), m AS (\(expression())))"
    case 1: return "CREATE VIEW IF NOT EXISTS \(table()) AS \(query())"
    case 2:
      return "CREATE INDEX i\(source.number(below: 4)) ON \(table()) (\(expression())) \(filter())"
    case 3:
      return
        "CREATE TRIGGER g\(source.number(below: 4)) AFTER \(source.pick(["INSERT", "UPDATE", "DELETE"])) ON \(table()) BEGIN \(change()); END"
    case 4...7: return change()
    case 8:
      return "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n \(limit())) \(query())"
    case 9: return source.pick(["VACUUM", "ANALYZE", "REINDEX", "PRAGMA \(pragma())"])
    case 10:
      return
        "ALTER TABLE \(table()) \(source.pick(["RENAME a TO b", "ADD c DEFAULT 1", "DROP b", "RENAME TO t1"]))"
    case 11:
      return "DROP \(source.pick(["TABLE", "VIEW", "INDEX", "TRIGGER"])) IF EXISTS \(table())"
    default: return query()
    }
  }

  private mutating func change() -> String {
    switch source.number(below: 4) {
    case 0: "INSERT OR REPLACE INTO \(table()) (a, b) VALUES (\(expression()), \(expression()))"
    case 1: "INSERT INTO \(table()) (a, b) \(query(columns: 2))"
    case 2: "UPDATE \(table()) SET a = \(expression()) \(filter())"
    default: "DELETE FROM \(table()) \(filter())"
    }
  }

  private mutating func query(columns: Int? = nil) -> String {
    if depth <= 0 { return columns == 2 ? "SELECT 1, 2" : "SELECT 1" }
    depth -= 1
    defer { depth += 1 }
    let fields = (0..<(columns ?? 1 + source.number(below: 3))).map { _ in expression() }
    var text = "SELECT \(source.pick(["", "DISTINCT "]))\(fields.joined(separator: ", "))"
    text += " FROM \(origin()) \(filter())"
    if source.flag() { text += " GROUP BY \(expression())" }
    if source.number(below: 8) == 0 {
      text +=
        " \(source.pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])) \(query(columns: fields.count))"
    }
    if source.flag() { text += " ORDER BY \(source.flag() ? "1" : "1 DESC")" }
    return text + " " + limit()
  }

  private mutating func origin() -> String {
    switch source.number(below: 8) {
    case 0: "(\(query())) AS q"
    case 1: "\(table()) AS p, \(table()) AS q"
    case 2: "\(table()) LEFT JOIN \(table()) AS q ON \(expression())"
    case 3: "json_each(\(expression()))"
    case 4:
      "(WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n LIMIT 100000) SELECT a, a AS b FROM n)"
    case 5: "pragma_table_info('t0')"
    default: table()
    }
  }

  private mutating func expression() -> String {
    if depth <= 0 { return literal() }
    depth -= 1
    defer { depth += 1 }
    switch source.number(below: 12) {
    case 0, 1: return literal()
    case 2, 3: return column()
    case 4:
      let sign = source.pick([
        "+", "-", "*", "/", "%", "||", "<", "=", "IS", "LIKE", "GLOB", "AND", "OR", "<<", "->",
        "->>",
      ])
      return "(\(expression()) \(sign) \(expression()))"
    case 5: return "(\(query(columns: 1)))"
    case 6: return "CASE WHEN \(expression()) THEN \(expression()) ELSE \(expression()) END"
    case 7: return "CAST(\(expression()) AS \(type()))"
    case 8: return "(\(expression()) IN (\(source.flag() ? query(columns: 1) : literal())))"
    default: return call()
    }
  }

  private mutating func call() -> String {
    let (name, count) = source.pick(Self.functions)
    let arguments = (0..<count).map { _ in expression() }.joined(separator: ", ")
    let over = source.number(below: 10) == 0 ? " OVER (ORDER BY 1 ROWS 3 PRECEDING)" : ""
    return "\(name)(\(arguments))\(over)"
  }

  /// With how many arguments they are called.
  private static let functions = [
    ("instr", 2), ("replace", 3), ("trim", 2), ("ltrim", 1), ("rtrim", 2), ("printf", 3),
    ("format", 2), ("like", 3), ("glob", 2), ("hex", 1), ("quote", 1), ("zeroblob", 1),
    ("randomblob", 1), ("substr", 3), ("substr", 2), ("length", 1), ("upper", 1), ("lower", 1),
    ("char", 3), ("unicode", 1), ("group_concat", 2), ("sum", 1), ("max", 2), ("min", 1),
    ("count", 1), ("json", 1), ("json_extract", 2), ("json_set", 3), ("json_group_array", 1),
    ("json_patch", 2), ("json_object", 2), ("fts3_tokenizer", 2), ("load_extension", 1),
    ("strftime", 2), ("round", 2), ("abs", 1), ("soundex", 1), ("coalesce", 2), ("nullif", 2),
    ("row_number", 0), ("lag", 2), ("ntile", 1), ("matchinfo", 1), ("rtreenode", 2),
  ]

  private mutating func literal() -> String {
    source.pick([
      "NULL", "0", "1", "-1", "2.5", "9223372036854775807", "-9223372036854775808", "1e308", "'a'",
      "''", "'%d %s %.*c'", "'%_%'", "'[a-z]*'", "x''", "x'00ff'", "'{\"a\":[1,{\"b\":2}]}'",
      "'$.a[0]'",
      "'$'", "900000000", "16000000", "'\u{1F600}é'", "zeroblob(1000000)", "hex(zeroblob(500000))",
      "?1",
    ])
  }

  private mutating func table() -> String {
    source.pick(["t0", "t1", "t2", "v0", "sqlite_schema"])
  }
  private mutating func column() -> String { source.pick(["a", "b", "rowid"]) }
  private mutating func type() -> String {
    source.pick(["INTEGER", "TEXT", "BLOB", "REAL", "NUMERIC", "INTEGER PRIMARY KEY"])
  }
  private mutating func constraint() -> String {
    switch source.number(below: 5) {
    case 0: "CHECK (\(expression()))"
    case 1: "DEFAULT (\(expression()))"
    case 2: "UNIQUE"
    case 3: "COLLATE NOCASE"
    default: ""
    }
  }
  private mutating func filter() -> String { source.flag() ? "WHERE \(expression())" : "" }
  private mutating func limit() -> String {
    source.pick(["", "LIMIT 10", "LIMIT 1000000", "LIMIT 1 OFFSET 100000"])
  }
  private mutating func pragma() -> String {
    source.pick([
      "integrity_check", "quick_check", "optimize", "table_info(t0)", "user_version = 3",
      "writable_schema = 1", "page_count", "function_list", "foreign_key_check",
    ])
  }
}
