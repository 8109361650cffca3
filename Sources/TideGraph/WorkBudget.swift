import CTideSlots

/// The remaining time and memory of the turn on this thread, for long work in the engine on behalf
/// of a script.
///
/// ```swift
/// var clock = WorkClock()
/// for row in rows {
///   try clock.step()
///   …
/// }
/// ```
///
/// Outside of turns, there is no limit. Work that is abandoned must leave everything as it was.
package enum WorkBudget {
  /// Whether the turn has run out of time, for code that cannot throw.
  package static var isOver: Bool { tide_work_is_over() }

  /// Throws if the turn has run out of time.
  package static func checkTime() throws(WorkError) {
    if tide_work_is_over() { throw .time }
  }

  /// Throws if the given number of bytes would exceed the turn's memory. Call it before allocating.
  package static func admit(bytes: Int) throws(WorkError) {
    if !tide_work_admits(UInt64(clamping: bytes)) { throw .memory }
  }
}

/// Checks the turn's time only once per 256 steps of a loop, so that a step costs almost nothing.
package struct WorkClock {
  private var steps: UInt32 = 0

  package init() {}

  @inline(__always)
  package mutating func step() throws(WorkError) {
    steps &+= 1
    if _slowPath(steps & 255 == 0) { try WorkBudget.checkTime() }
  }

  /// Counts a step that processes the given number of bytes.
  @inline(__always)
  package mutating func step(bytes: Int) throws(WorkError) {
    let before = steps
    steps &+= 1 &+ UInt32(truncatingIfNeeded: bytes >> 8)
    if _slowPath(before >> 8 != steps >> 8) { try WorkBudget.checkTime() }
  }

  /// Counts a step and returns whether the turn has time left, for loops that end instead of
  /// throwing.
  @inline(__always)
  package mutating func hasTime() -> Bool {
    steps &+= 1
    return _fastPath(steps & 255 != 0) || !WorkBudget.isOver
  }
}

/// Checks the turn's time and memory while a string or a list grows, before memory is allocated.
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

  /// Checks the turn's time and memory for a known total length.
  package mutating func grow(to count: Int) throws(WorkError) {
    try clock.step()
    bytes = count
    if bytes <= admitted { return }
    // The full size, because the memory requested before has not been allocated.
    admitted = 2 * bytes
    try WorkBudget.admit(bytes: admitted)
  }
}

extension WorkError: PassingFailure {
  package var isPassing: Bool { true }
}
