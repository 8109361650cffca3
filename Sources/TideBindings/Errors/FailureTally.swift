/// Counts failures by mistake: failures with the same message about the same path at the same
/// location are one mistake, such as a wrong path in the cells of a table, which fails for each
/// row.
struct FailureTally {
  /// Identifies one mistake.
  struct Key: Hashable {
    private let number: Int
    private let message: String
    private let path: String?
    private let location: String

    /// Nil for errors that are not counted: user input, which is corrected one by one, and errors
    /// with neither a location nor a row.
    init?(_ error: TideError) {
      if error.isOfEdit { return nil }
      guard let source = error.location?.description ?? error.site.flatMap(Self.rows) else {
        return nil
      }
      number = error.code.number
      // Failed conversions of one column are one mistake, whatever the rows hold.
      let isOfColumn = error.code == .conversion && error.path != nil && error.site?.row != nil
      message = isOfColumn ? "" : error.message
      path = error.path
      location = source
    }

    private static func rows(of site: FailureSite) -> String? { site.row.map { _ in site.view } }
  }

  private var counts: [Key: Int] = [:]
  private var told: Set<Key> = []

  var isEmpty: Bool { counts.isEmpty }

  /// Counts a failure. Returns whether its mistake has not been reported yet.
  mutating func add(_ error: TideError) -> Bool {
    guard let key = Key(error) else { return true }
    counts[key, default: 0] += 1
    return told.insert(key).inserted
  }

  /// Removes a failure that is over. Returns whether no failure of the same mistake is left.
  @discardableResult
  mutating func remove(_ error: TideError) -> Bool {
    guard let key = Key(error), let count = counts[key] else { return true }
    if count > 1 {
      counts[key] = count - 1
      return false
    }
    counts[key] = nil
    told.remove(key)
    return true
  }

  /// Allows each mistake to be reported once more.
  mutating func reportAgain() { told = [] }

  /// Merges the failures of each mistake into one error, in its first row, with the number of rows
  /// that have it.
  static func distinct(_ errors: [TideError]) -> [TideError] {
    var found: [TideError] = []
    var places: [Key: Int] = [:]
    var rows: [Key: Set<Int>] = [:]
    for error in errors {
      guard let key = Key(error) else {
        found.append(error)
        continue
      }
      if let row = error.site?.row?.number { rows[key, default: []].insert(row) }
      if let place = places[key] {
        found[place].rowCount = max(1, rows[key]?.count ?? 1)
        let known = found[place].site
        if known == nil {
          found[place].site = error.site
        } else if let row = error.site?.row, let first = known?.row, row.number < first.number {
          found[place].site = error.site
        }
      } else {
        places[key] = found.count
        found.append(error)
      }
    }
    return found
  }
}
