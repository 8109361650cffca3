import CTideSlots

/// The shortcuts of propagation. If a cheap test shows that a change needs no ordering, the change
/// skips the plain walk of `Graph.walk`.
///
/// ```swift
/// graph.withhold([.loneCopy])  // later changes take the walk
/// ```
///
/// Disabling shortcuts changes neither values nor notifications, nor their order and number; a
/// random test compares them. Disabling is for tests and costs nothing otherwise: it sets a mark on
/// the slots at which a shortcut ends, in bits that the shortcut's condition tests anyway.
package struct Shortcuts: OptionSet, Hashable, Sendable {
  /// The bits of the slots' marks.
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A number that one binding copies to a slot without other dependents. For a two-way binding,
  /// the target's only dependent is the source, which already holds the number.
  ///
  /// Skips the whole wave: there is only one edge, no slot is queued, and copying a number runs no
  /// code. See `Graph.copiesAlone`.
  package static let loneCopy = Shortcuts(rawValue: 1 << 24)

  /// A computed slot that is the only work left in a wave, and those downstream of it for which
  /// that holds, too.
  ///
  /// Skips the queue: a single slot needs no ordering by height. See `Graph.evaluateChain`.
  package static let loneComputed = Shortcuts(rawValue: 1 << 25)

  /// A slot that a binding has changed and whose only dependent is a computed slot that is already
  /// queued.
  ///
  /// Skips one step, which would find that the computed slot is already marked and queued. See
  /// `Graph.leadsToQueued`.
  package static let queuedReader = Shortcuts(rawValue: 1 << 26)

  /// A script's observer that is the only dependent of a property which a script writes.
  ///
  /// Skips the wave and the call into Swift: the interpreter calls the function itself, as
  /// `Graph.notify` would. Strings and objects are reference counted and use the walk. See
  /// `listener_notify` in `CTideLua`, which requires that the observer has no mark at all.
  package static let loneListener = Shortcuts(rawValue: 1 << 27)

  /// A wave that leaves no work behind.
  ///
  /// Skips `Graph.finishWave`, which would have nothing to do. See `Graph.endWave` and
  /// `hasLeftovers` in the arena, which is set if work is left.
  package static let quietEnd = Shortcuts(rawValue: 1 << 28)

  package static let all: [Shortcuts] = [
    .loneCopy, .loneComputed, .queuedReader, .loneListener, .quietEnd,
  ]

  /// The shortcuts that can end at a slot of the given kind.
  fileprivate static func ending(at kind: UInt8) -> Shortcuts {
    switch kind {
    case Kind.source: .loneCopy
    case Kind.computed: [.loneComputed, .queuedReader]
    case Kind.observer: .loneListener
    default: []
    }
  }
}

extension Graph {
  /// Disables some shortcuts, so that changes use the walk, and enables all others. For tests.
  ///
  /// Applies to existing slots; call it again after creating more.
  package func withhold(_ withheld: Shortcuts) {
    state.pointee.withheldShortcuts = withheld
    if withheld.contains(.quietEnd) { setHasLeftovers() }
    for index in 1..<Int(max(1, arena.pointee.slotCount)) {
      let slot = slots + index, ending = Shortcuts.ending(at: slot.pointee.kind)
      slot.clear(ending.rawValue)
      slot.mark(ending.intersection(withheld).rawValue)
    }
  }

  /// Uses `loneCopy`, which completes the change. Returns false without any effect if the shortcut
  /// does not apply.
  @inline(__always)
  func copiesAlone(_ slot: Slot) -> Bool {
    let record = edges + Int(slot.pointee.firstOut)
    guard isLoneCopy(record) else { return false }
    let target = slots + Int(record.pointee.target)
    if target.pointee.firstOut != 0 {
      let onward = edges + Int(target.pointee.firstOut)
      guard isLoneCopy(onward), onward.pointee.target == record.pointee.source else { return false }
    }
    // Releasing a counted value may run arbitrary code.
    if target.hasMark(Mark.multipleWriters | Mark.watched | Shortcuts.loneCopy.rawValue)
      || slot.pointee.tag >= Tag.string || target.pointee.tag >= Tag.string
    {
      return false
    }
    _ = target.copy(from: slot)
    return true
  }

  /// Whether an edge copies and is the only one from its source.
  @inline(__always)
  private func isLoneCopy(_ record: UnsafeMutablePointer<TideEdge>) -> Bool {
    record.pointee.nextOut == 0 && record.pointee.body == 0
      && record.pointee.flags & ~EdgeFlag.back == EdgeFlag.binding
  }

  /// Whether the computed slot at the end of an edge is the only work left in the wave and can be
  /// evaluated at once.
  @inline(__always)
  func isLoneComputed(
    _ target: Slot, _ record: UnsafeMutablePointer<TideEdge>, _ onlyMarked: Bool
  ) -> Bool {
    let marks = Mark.live | Mark.running | Shortcuts.loneComputed.rawValue
    return target.pointee.kind == Kind.computed && target.pointee.state & marks == Mark.live
      && state.pointee.waiting == 0 && record.pointee.flags & EdgeFlag.dead == 0 && !onlyMarked
  }

  /// Uses `loneComputed`. Returns the last slot if it has changed, otherwise 0, and the number of
  /// steps.
  ///
  /// The steps are passed by value, because an `inout` would force `walk` to keep them in memory.
  @inline(never)
  func evaluateChain(from start: UInt32, _ walked: Int, _ limit: Int) -> (end: UInt32, steps: Int) {
    var index = start, steps = walked
    while true {
      let target = slots + Int(index)
      state.pointee.waveHeight = target.pointee.height
      guard evaluate(target) else { return (0, steps) }
      reportIfDropped(target)
      if _slowPath(target.hasMark(Mark.watched)) { touch(target) }
      let edge = target.pointee.firstOut
      if edge == 0 || steps >= limit { return (index, steps) }
      let record = edges + Int(edge)
      // Neither a binding nor dead.
      guard record.pointee.nextOut == 0, record.pointee.flags & ~EdgeFlag.back == 0,
        isLoneComputed(slots + Int(record.pointee.target), record, false)
      else { return (index, steps) }
      steps &+= 1
      index = record.pointee.target
    }
  }

  /// Whether `queuedReader` applies to a slot, given its first outgoing edge.
  @inline(__always)
  func leadsToQueued(_ record: UnsafeMutablePointer<TideEdge>, _ slots: Slot) -> Bool {
    if record.pointee.nextOut != 0 { return false }
    let target = slots + Int(record.pointee.target)
    let both = Mark.queued | Mark.stale
    return target.pointee.state & (both | Shortcuts.queuedReader.rawValue) == both
      && target.pointee.kind == Kind.computed
  }
}
