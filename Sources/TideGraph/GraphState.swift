import CTideSlots

/// The working state of a graph, behind one pointer so that each access costs a single load. State
/// that the Lua shim also reads is in the arena.
struct GraphState {
  /// The top of the stack that all walks share. Its entries are pairs: an edge to follow and its
  /// source, or a slot being checked and its next edge.
  var stackTop = 0
  /// The number of queued slots.
  var waiting = 0
  /// The height that the wave has reached; slots below it are up to date.
  var waveHeight: UInt32 = 0
  /// Whether the slot that had its turn last had been evaluated ahead.
  var wasEvaluatedAhead = false
  /// The number of running evaluations and effects.
  var evaluationDepth = 0
  /// Evaluations below this depth only wait for others to settle; they do not read their values.
  var askingFloor = 0
  /// The number of nested walks over dependencies.
  var checkDepth = 0
  /// The number of callers that have started counting changes.
  var measurers = 0
  var liveEdges = 0
  var liveBlocks = 0
  var liveSlots = 0

  /// Effects and observers to run when everything else has settled.
  var effects: [UInt32] = []
  /// Slots written during a batch or an evaluation.
  var pending: [UInt32] = []
  /// Further writes to them, each with the number of pending slots at that time.
  var rewrites: [Rewrite] = []
  /// Whether a two-way binding was ever created.
  var hasTwoWayBindings = false
  /// Slots that were evaluated before one of their dependencies.
  var blocked: [UInt32] = []
  /// Watched slots that have changed.
  var touched: [UInt32] = []
  /// Edges that the running wave may still use.
  var deadEdges: [UInt32] = []
  var deadBlocks: [UInt32] = []
  var deadBodies: [UInt32] = []
  /// How often each edge was followed, in a wave that takes too many steps.
  var stepCounts: [UInt32: Int] = [:]
  /// How often each computed slot changed, in such a wave.
  var evaluationCounts: [UInt32: Int] = [:]
  /// The slot whose change made the running evaluation run again.
  var rerunCause: UInt32 = 0
  /// The error of a slot that a function read without being able to throw.
  var passedOn: (any Error)?
  /// The values upstream of effects and observers that have run too often, and their last writes.
  var lastRounds = LastRounds()
  /// A spare slot that records the reads of bindings' functions which have read nothing so far; 0
  /// if none.
  var spareRecorder: UInt32 = 0
  /// Whether loops were found in this wave.
  var foundCycle = false
  /// Objects to release after the current release has returned.
  var pendingReleases: [Unmanaged<AnyObject>] = []
  var isReleasing = false
  /// The generation of a new block whose first slot was no header before, or whose earlier
  /// generation is unknown. It is greater than the generation of any earlier block at that slot.
  var firstGeneration = TIDE_BLOCK_GENERATION + 1
  /// Blocks that objects have left for larger ones, by the index of the current block.
  var formerBlocks: [UInt32: [UInt32]] = [:]
  /// Shortcuts that are disabled; empty except in tests.
  var withheldShortcuts: Shortcuts = []
}
