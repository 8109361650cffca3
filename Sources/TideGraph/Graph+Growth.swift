import CTideSlots

// A graph begins with room for a few hundred slots. Its regions grow in place, so addresses stay
// valid; only the tables for traversals may move.

extension Graph {
  /// Makes room for the given total number of slots. Traps if that fails: code that acts for a
  /// script has reserved room in advance.
  @inline(never)
  func growSlots(to count: UInt32) {
    precondition(tide_arena_grow_slots(arena, UInt64(count)), Self.noRoom)
  }

  @inline(never)
  func growEdges(to count: UInt32) {
    precondition(tide_arena_grow_edges(arena, UInt64(count)), Self.noRoom)
  }

  private static let noRoom =
    "the property graph has no room left: the system refuses memory (see ulimit -v)"

  @inline(never)
  func growStack() {
    precondition(tide_tables_grow_stack(tables), "the system refuses memory for a property graph")
  }

  /// Records that a slot's function is running.
  @inline(__always)
  func pushEvaluation(_ slot: UInt32) {
    let depth = state.pointee.evaluationDepth
    if _slowPath(depth >= Int(tables.pointee.evaluationCapacity)) {
      precondition(makeRoom(evaluations: depth + 1), "the system refuses memory for evaluations")
    }
    tables.pointee.evaluations[depth] = slot
    state.pointee.evaluationDepth = depth &+ 1
  }

  /// Makes room for the given number of nested evaluations. Returns false if that fails.
  func makeRoom(evaluations count: Int) -> Bool {
    count <= Int(tables.pointee.evaluationCapacity)
      || count <= Self.mostEvaluations
        && tide_tables_grow_evaluations(tables, UInt32(count))
  }

  private static let mostEvaluations = 1 << 26

  /// The running evaluations, outermost first; when a loop closes, they are the loop.
  var runningEvaluations: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: tables.pointee.evaluations, count: state.pointee.evaluationDepth)
  }
}
