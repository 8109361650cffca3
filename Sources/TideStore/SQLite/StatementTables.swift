/// The tables that a statement reads and those that it changes, its triggers included.
struct StatementTables {
  var read: Set<String> = []
  var written: Set<String> = []
  /// Whether it changes what tables there are.
  var changesSchema = false
  /// Why it may not be run.
  var refusal: String?

  /// Whether what a query of `self` gives may be another after the other has run.
  func depend(on other: StatementTables) -> Bool {
    other.changesSchema || !read.isDisjoint(with: other.written)
  }
}
