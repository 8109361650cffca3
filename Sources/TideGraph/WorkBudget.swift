import CTideSlots

/// What the turn that runs on this thread may still take, asked by long work in the engine that a
/// script has caused.
///
/// ```swift
/// var clock = WorkClock()
/// for row in rows {
///   try clock.step()
///   …
/// }
/// ```
///
/// Outside of a turn nothing is bounded. Work that is given up must leave things as they were.
package enum WorkBudget {
  /// Whether the turn is over, where it cannot be said by throwing.
  package static var isOver: Bool { tide_work_is_over() }

  /// Throws when the turn is over.
  package static func checkTime() throws(WorkError) {
    if tide_work_is_over() { throw .time }
  }

  /// Throws where there is no memory for so many bytes more, before they are taken.
  package static func admit(bytes: Int) throws(WorkError) {
    if !tide_work_admits(UInt64(clamping: bytes)) { throw .memory }
  }
}

/// Looks at the turn's clock every so many steps of a loop, so that a step costs next to nothing.
package struct WorkClock {
  private var steps: UInt32 = 0

  package init() {}

  @inline(__always)
  package mutating func step() throws(WorkError) {
    steps &+= 1
    if _slowPath(steps & 255 == 0) { try WorkBudget.checkTime() }
  }

  /// The same for a step that goes through so many bytes.
  @inline(__always)
  package mutating func step(bytes: Int) throws(WorkError) {
    let before = steps
    steps &+= 1 &+ UInt32(truncatingIfNeeded: bytes >> 8)
    if _slowPath(before >> 8 != steps >> 8) { try WorkBudget.checkTime() }
  }

  /// Counts a step and says whether the turn has time for it, where a loop ends rather than throws.
  @inline(__always)
  package mutating func hasTime() -> Bool {
    steps &+= 1
    return _fastPath(steps & 255 != 0) || !WorkBudget.isOver
  }
}

/// What a text or a list that is being made will take: checks the turn's time and memory as it
/// grows, before anything is taken.
///
/// ```swift
/// var budget = TextBudget()
/// for part in parts { try budget.add(part.utf8.count) }
/// ```
package struct TextBudget {
  private var bytes = 0
  private var admitted = 1 << 16
  private var clock = WorkClock()

  package init() {}

  package mutating func add(_ count: Int) throws(WorkError) { try grow(to: bytes + count) }

  /// The same for one whose length is known.
  package mutating func grow(to count: Int) throws(WorkError) {
    try clock.step()
    bytes = count
    if bytes <= admitted { return }
    // All of it, since what was asked for before has not been taken.
    admitted = 2 * bytes
    try WorkBudget.admit(bytes: admitted)
  }
}

extension WorkError: PassingFailure {
  package var isPassing: Bool { true }
}
