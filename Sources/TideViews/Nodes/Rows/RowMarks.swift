import TideBindings
import TideGraph

/// The number of rows of a view that can be selected.
enum SelectionMode: String {
  case none, one, many
}

/// The selected rows of a view with multiple selection, and the selection that the program
/// requested.
struct RowMarks {
  /// The selected rows.
  var rows = RowSet()
  /// The fixed end of a range that Shift extends; nil for the current row.
  var anchor: Int?
  /// The rows last written to the list properties; nil if they must be written again.
  var told: RowSet?
  /// The object of the first row in `told`, which can change while the row stays the same.
  var toldObject: Value = .null
  /// The objects of the selected rows, for row sources where only the objects identify the rows
  /// after edits.
  var objects: [Value] = []
  /// The property to which the program assigned a list; nil once the selection has been changed in
  /// another way.
  private(set) var given: ViewProperty?
  /// The assigned list. The property keeps it until all of its rows exist.
  private(set) var givenList: ValueList?
  /// Whether some rows of the assigned list do not exist yet.
  private(set) var isAwaited = false
  /// The lists that currently report the selection.
  weak var shownIndexes: RowList?
  weak var shownObjects: RowList?
  /// Observes edits of the assigned list.
  private(set) var outside: ListFollowing?

  /// Records that the program has assigned a list.
  mutating func give(
    _ property: ViewProperty, _ list: ValueList?, following outside: ListFollowing?
  ) {
    given = property
    givenList = list
    self.outside = outside
    told = nil
  }

  /// Records whether all rows of the assigned list exist.
  mutating func noteFound(all: Bool) {
    isAwaited = given != nil && !all
    told = nil
  }

  /// Called when the selection has been changed in another way; the assigned list is still
  /// observed.
  mutating func forgetGiven() {
    given = nil
    givenList = nil
    isAwaited = false
  }

  mutating func clear() {
    rows = RowSet()
    anchor = nil
    objects = []
  }
}
