import TideGraph

/// What a text or a list that is being made will take: looks at the turn's clock and memory on the way,
/// before anything is taken.
///
/// ```swift
/// var budget = TextBudget()
/// for part in parts { try budget.add(part.utf8.count) }
/// ```
struct TextBudget {
  private var bytes = 0
  private var admitted = 1 << 16
  private var clock = WorkClock()

  mutating func add(_ count: Int) throws(WorkError) {
    try clock.step()
    bytes += count
    if bytes <= admitted { return }
    // All of it, since what was asked for before has not been taken.
    admitted = 2 * bytes
    try WorkBudget.admit(bytes: admitted)
  }
}
