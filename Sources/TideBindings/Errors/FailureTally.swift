/// Counts failures that are one mistake: the same words about the same path at the same place, as a wrong
/// path in the cells of a table has for each row.
struct FailureTally {
  /// What tells one mistake from another.
  struct Key: Hashable {
    private let number: Int
    private let message: String
    private let path: String?
    private let place: String

    /// Nil for what is not counted: entries of people, who mend them one by one, and what has no place.
    init?(_ error: TideError) {
      guard !error.isOfEdit, let location = error.location else { return nil }
      number = error.code.number
      message = error.message
      path = error.path
      place = "\(location)"
    }
  }

  private var counts: [Key: Int] = [:]
  private var told: Set<Key> = []

  /// Counts a failure; true where the mistake has not been told of.
  mutating func add(_ error: TideError) -> Bool {
    guard let key = Key(error) else { return true }
    counts[key, default: 0] += 1
    return told.insert(key).inserted
  }

  /// Counts a failure that is over; true where none like it is left.
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

  /// Lets each mistake be told of once more.
  mutating func tellAgain() { told = [] }

  /// The first of the failures that are one mistake.
  static func distinct(_ errors: [TideError]) -> [TideError] {
    var seen: Set<Key> = []
    return errors.filter { error in Key(error).map { seen.insert($0).inserted } ?? true }
  }
}
