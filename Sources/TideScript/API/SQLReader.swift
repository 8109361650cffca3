/// Analyzes literal SQL of scripts without their database; implemented by the module TideStore.
package protocol SQLReader: Sendable {
  /// Runs schema statements in a database in memory.
  func schema(of statements: [SchemaStatement]) -> any SQLSchema
}

/// A literal text of statements that create, change or drop tables.
package struct SchemaStatement: Hashable, Sendable {
  package let text: String
  /// Whether the statement runs whenever its function does, so that it surely drops or renames
  /// things.
  package let isCertain: Bool

  package init(_ text: String, isCertain: Bool = true) {
    self.text = text
    self.isCertain = isCertain
  }
}

/// A schema for checking queries. Only its own statements are run.
package protocol SQLSchema: AnyObject {
  /// Whether some statements that may create tables could not be analyzed.
  var mayHaveOtherTables: Bool { get }
  /// Checks the single statement of a text.
  func read(_ sql: String) -> SQLReading
  /// The columns of a query's rows; nil if unknown. Columns that the query itself names are known
  /// even if its tables are not.
  func columns(of sql: String) -> [String]?
  /// The names of the parameters of a single statement, without the sign before them; nil for those
  /// without a name, as `?`. Nil if SQLite cannot prepare the statement.
  func parameters(of sql: String) -> [String?]?
  /// The syntax error in a schema text; nil if it has none.
  func syntaxFailure(in schemaText: String) -> String?
}

/// The result of checking a statement.
package enum SQLReading: Equatable, Sendable {
  /// The columns of its rows; empty for a statement without rows.
  case columns([String])
  /// The statement fails because the schema lacks a table.
  case missingTable(String)
  /// The statement fails for another reason, whatever the tables contain.
  case failure(String)
  /// The statement names unknown parts of the schema, or takes too long to check.
  case unknown
}
