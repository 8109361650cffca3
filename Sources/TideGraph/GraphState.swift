import CTideSlots

/// The working state of a graph, behind one pointer so that reading it costs a load. State that the
/// Lua shim reads as well is in the arena.
struct GraphState {
  /// The top of the stack that walks share. Its entries are pairs: an edge still to follow and its
  /// source, or a slot that is being checked and the edge from which to go on.
  var stackTop = 0
  /// The lowest and highest heights that may have waiting slots.
  var waiting = 0
  /// The height that the wave has reached; slots below it are settled.
  var waveHeight: UInt32 = 0
  /// Whether the slot that took its turn last had been evaluated ahead.
  var wasEvaluatedAhead = false
  /// The running evaluations and effects, from which a loop is named.
  var evaluationDepth = 0
  /// Evaluations below this depth only wait for others to settle; they do not ask for their values.
  var askingFloor = 0
  /// The running walks over dependencies, one within another.
  var checkDepth = 0
  /// Who counts changes at the moment.
  var measurers = 0
  var liveEdges = 0
  var liveBlocks = 0
  var liveSlots = 0

  /// Effects and observers to run when everything else has settled.
  var effects: [UInt32] = []
  /// Slots written while a batch was open or an evaluation ran.
  var pending: [UInt32] = []
  /// Further writes to them, each with the number of pending slots at that time.
  var rewrites: [Rewrite] = []
  /// Whether a two-way binding was ever made.
  var hasTwoWayBindings = false
  /// Slots that were evaluated before something that they need.
  var blocked: [UInt32] = []
  /// Watched slots that have changed.
  var touched: [UInt32] = []
  /// Records whose entry may still be looked at by the running wave.
  var deadEdges: [UInt32] = []
  var deadBlocks: [UInt32] = []
  var deadBodies: [UInt32] = []
  /// How often each edge was followed, in a wave that takes too many steps.
  var stepCounts: [UInt32: Int] = [:]
  /// How often each computed slot changed, in such a wave.
  var evaluationCounts: [UInt32: Int] = [:]
  /// The slot whose change made the running evaluation run again.
  var rerunCause: UInt32 = 0
  /// What a function that cannot throw has read.
  var passedOn: (any Error)?
  /// The dependencies of effects that run for too many rounds, and what they wrote last.
  var lastRounds = LastRounds()
  /// A spare record for the reads of a binding's function that has read nothing so far; 0: none.
  var spareRecorder: UInt32 = 0
  /// Whether loops were found in this wave.
  var foundCycle = false
  /// Objects to be released once the code that releases them has returned.
  var pendingReleases: [Unmanaged<AnyObject>] = []
  var isReleasing = false
  /// The generation of a block at a slot that was no header before, or of which that is unknown:
  /// greater than the generation of any block that was there.
  var firstGeneration = TIDE_BLOCK_GENERATION + 1
  /// Blocks that objects have left for larger ones, by the index of the present one.
  var formerBlocks: [UInt32: [UInt32]] = [:]
  /// Shortcuts that are withheld; none outside of tests.
  var withheldShortcuts: Shortcuts = []
}
