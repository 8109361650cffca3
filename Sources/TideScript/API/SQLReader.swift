/// Reads the SQL that scripts write out, without a database; the module TideStore has one.
package protocol SQLReader: Sendable {
  /// Makes the schema that statements make, in memory.
  func schema(of statements: [SchemaStatement]) -> any SQLSchema
}

/// A literal text of statements that create, change or drop tables.
package struct SchemaStatement: Hashable, Sendable {
  package let text: String
  /// Whether it runs whenever its function does, so that what it drops or renames is gone.
  package let isCertain: Bool

  package init(_ text: String, isCertain: Bool = true) {
    self.text = text
    self.isCertain = isCertain
  }
}

/// A schema against which queries are read. Nothing is run but the statements that make it.
package protocol SQLSchema: AnyObject {
  /// Whether statements could not be followed that may create tables.
  var mayHaveOtherTables: Bool { get }
  /// What the only statement of a text gives.
  func read(_ sql: String) -> SQLReading
  /// The columns of a query's rows; nil where they are not known. Those that the query names itself
  /// are known beside tables that are not.
  func columns(of sql: String) -> [String]?
  /// The mistake of syntax in a text that makes the schema; nil if it has none.
  func syntaxFailure(in schemaText: String) -> String?
}

/// What a statement gives when it runs.
package enum SQLReading: Equatable, Sendable {
  /// The columns of its rows, none for one that gives no rows.
  case columns([String])
  /// It fails, for a table that the schema does not have.
  case missingTable(String)
  /// It fails for another reason, whatever the tables hold.
  case failure(String)
  /// It names parts of the schema that are not known, or takes too long to read.
  case unknown
}
