import TideBindings
import TideGraph

/// How many rows of a view may be selected.
enum SelectionMode: String {
  case none, one, many
}

/// The rows that are selected where many may be, and what the program has asked for.
struct RowMarks {
  /// The selected rows.
  var rows = RowSet()
  /// Where a range begins that is extended with Shift; nil for the current row.
  var anchor: Int?
  /// The rows as the lists in the properties tell them; nil when they have to be told again.
  var told: RowSet?
  /// The first of their objects, which may be another one in the same row.
  var toldObject: Value = .null
  /// The objects of the selected rows, where only these tell which rows are the same after others
  /// have come and gone.
  var objects: [Value] = []
  /// The property in which the program has given a list of what is to be selected; nil since
  /// something else was.
  private(set) var given: ViewProperty?
  /// The list itself: the property tells of what is selected as soon as all of it is.
  private(set) var givenList: ValueList?
  /// Not all that was given has come yet.
  private(set) var isAwaited = false
  /// The lists that tell what is selected now.
  weak var shownIndexes: RowList?
  weak var shownObjects: RowList?
  /// Follows the edits of the list that was given.
  private(set) var outside: ListFollowing?

  /// Notes that the program has given a list.
  mutating func give(
    _ property: ViewProperty, _ list: ValueList?, following outside: ListFollowing?
  ) {
    given = property
    givenList = list
    self.outside = outside
    told = nil
  }

  /// Notes whether all that was given is there.
  mutating func noteFound(all: Bool) {
    isAwaited = given != nil && !all
    told = nil
  }

  /// Something else has been selected since; the list that was given is still followed.
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
