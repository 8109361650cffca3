import CTideSlots

/// What changes while a graph works, kept behind one pointer so that reading it costs a load. What
/// the Lua shim looks at as well is in the arena.
struct GraphState {
  /// Where the stack ends, which walks share: pairs of an edge still to follow and the slot that it
  /// leaves, or of a slot that is looked at and the edge from which to go on.
  var stackTop = 0
  /// The lowest and highest heights that may have waiting slots.
  var waiting = 0
  /// The height at which a wave is now; slots below it are settled.
  var waveHeight: UInt32 = 0
  /// Whether the slot that took its turn last had been evaluated before.
  var wasEvaluatedAhead = false
  /// Evaluations and effects that are running, which a loop is read from.
  var evaluationDepth = 0
  /// Evaluations below this depth only wait for others to settle; they do not ask for their values.
  var askingFloor = 0
  /// Walks over what slots depend on that are under way, one within another.
  var checkDepth = 0
  var liveEdges = 0
  var liveBlocks = 0
  var liveSlots = 0

  /// Effects and observers to run when everything else has settled.
  var effects: [UInt32] = []
  /// Slots written while a batch was open or an evaluation ran.
  var pending: [UInt32] = []
  /// Slots that were evaluated ahead of something that they need and that was not done yet.
  var blocked: [UInt32] = []
  /// Watched slots that have changed.
  var touched: [UInt32] = []
  /// Records whose place may still be looked at by the running wave.
  var deadEdges: [UInt32] = []
  var deadBlocks: [UInt32] = []
  var deadBodies: [UInt32] = []
  /// How often each edge was followed, in a wave that goes on for too long.
  var stepCounts: [UInt32: Int] = [:]
  /// How often each computed slot found another value, in such a wave.
  var evaluationCounts: [UInt32: Int] = [:]
  /// The slot whose change called for another evaluation of what runs.
  var rerunCause: UInt32 = 0
  /// What a function that cannot throw has read.
  var passedOn: (any Error)?
  /// What effects that go on for too long depend on, and what they wrote last.
  var lastRounds = LastRounds()
  /// Records what functions of bindings read that have read nothing so far; 0: none is spare.
  var spareRecorder: UInt32 = 0
  /// Whether loops were found in this wave.
  var foundCycle = false
  /// Objects to be released, when what releases them has come to an end.
  var doomed: [Unmanaged<AnyObject>] = []
  var isReleasing = false
  /// The generation of a block whose place was the beginning of none, or may have been and nobody
  /// knows of which: greater than that of any block that was there.
  var firstGeneration = TIDE_BLOCK_GENERATION + 1
  /// Blocks that objects have left for larger ones, by the index of the present one.
  var formerBlocks: [UInt32: [UInt32]] = [:]
  /// What changes do not take at present; none but in tests.
  var withheldShortcuts: Shortcuts = []
}
