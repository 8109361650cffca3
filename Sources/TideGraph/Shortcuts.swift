import CTideSlots

/// The shortcuts of propagation, all of them: where a glance at what a change leads to tells that
/// there is nothing to order, the change does not take the plain walk of `Graph.walk`.
///
/// ```swift
/// graph.withhold([.loneCopy])  // What follows takes the walk instead.
/// ```
///
/// Values, notifications, their order and their number are the same with any of them withheld, which
/// a random test compares. Withholding is for tests and costs nothing elsewhere: it sets a mark on the
/// slots at which a shortcut ends, in bits that the shortcut's condition looks at anyway.
package struct Shortcuts: OptionSet, Hashable, Sendable {
  /// Bits of the slots' marks.
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A number that one binding copies to where nothing listens; of a two-way binding, nothing but the
  /// slot that it comes from, which holds the number already.
  ///
  /// Leaves out the whole wave: there is one edge, nothing waits, and a copied number runs no code.
  /// See `Graph.copiesAlone`.
  package static let loneCopy = Shortcuts(rawValue: 1 << 24)

  /// A computed slot that is all that a wave has still to do, and those behind it as long as that holds.
  ///
  /// Leaves out the queue: with one slot in it, the order by height is no question. See
  /// `Graph.evaluateChain`.
  package static let loneComputed = Shortcuts(rawValue: 1 << 25)

  /// A slot that a binding has changed and that leads to one computed slot alone, which waits for its
  /// turn already.
  ///
  /// Leaves out one step, which would find the computed slot marked and queued. See
  /// `Graph.leadsToQueued`.
  package static let queuedReader = Shortcuts(rawValue: 1 << 26)

  /// A script's function that observes a property which a script writes, when it is all that depends on
  /// the property.
  ///
  /// Leaves out the wave and the border to Swift: the interpreter calls the function itself, as
  /// `Graph.notify` would. Text and objects are counted and take the walk. See `listener_notify` in
  /// `CTideLua`, which asks that the observer has no mark at all.
  package static let loneListener = Shortcuts(rawValue: 1 << 27)

  /// A wave that leaves nothing behind.
  ///
  /// Leaves out `Graph.finishWave`, which would find nothing to do. See `Graph.endWave` and
  /// `hasLeftovers` in the arena, which whatever leaves something sets.
  package static let quietEnd = Shortcuts(rawValue: 1 << 28)

  package static let all: [Shortcuts] = [
    .loneCopy, .loneComputed, .queuedReader, .loneListener, .quietEnd,
  ]

  /// Those that may end at a slot of a kind.
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
  /// Lets changes take the walk in place of some shortcuts, and all others again. For tests.
  ///
  /// It holds for the slots that there are; whoever makes more calls it again.
  package func withhold(_ withheld: Shortcuts) {
    state.pointee.withheldShortcuts = withheld
    if withheld.contains(.quietEnd) { setHasLeftovers() }
    for index in 1..<Int(max(1, arena.pointee.slotCount)) {
      let slot = slots + index, ending = Shortcuts.ending(at: slot.pointee.kind)
      slot.clear(ending.rawValue)
      slot.mark(ending.intersection(withheld).rawValue)
    }
  }

  /// Takes `loneCopy`, which ends the change. False where there is more to do, and then nothing is
  /// done.
  @inline(__always)
  func copiesAlone(_ slot: Slot) -> Bool {
    let record = edges + Int(slot.pointee.firstOut)
    guard isLoneCopy(record) else { return false }
    let target = slots + Int(record.pointee.target)
    if target.pointee.firstOut != 0 {
      let onward = edges + Int(target.pointee.firstOut)
      guard isLoneCopy(onward), onward.pointee.target == record.pointee.source else { return false }
    }
    // What is counted may run anything when it is released.
    if target.hasMark(Mark.multipleWriters | Mark.watched | Shortcuts.loneCopy.rawValue)
      || slot.pointee.tag >= Tag.string || target.pointee.tag >= Tag.string
    {
      return false
    }
    _ = target.copy(from: slot)
    return true
  }

  /// Whether an edge is all that leaves its source, and copies.
  @inline(__always)
  private func isLoneCopy(_ record: UnsafeMutablePointer<TideEdge>) -> Bool {
    record.pointee.nextOut == 0 && record.pointee.body == 0
      && record.pointee.flags & ~EdgeFlag.back == EdgeFlag.binding
  }

  /// Whether the computed slot at the end of an edge may be evaluated at once, where it is all that a
  /// wave has still to do, whatever follows from it.
  @inline(__always)
  func isLoneComputed(
    _ target: Slot, _ record: UnsafeMutablePointer<TideEdge>, _ onlyMarked: Bool
  ) -> Bool {
    let marks = Mark.live | Mark.running | Shortcuts.loneComputed.rawValue
    return target.pointee.kind == Kind.computed && target.pointee.state & marks == Mark.live
      && state.pointee.waiting == 0 && record.pointee.flags & EdgeFlag.dead == 0 && !onlyMarked
  }

  /// Takes `loneComputed`. Gives the last slot, where it has changed, else 0, and the steps.
  ///
  /// The steps come and go as values, because `walk` would keep in memory what it lends.
  @inline(never)
  func evaluateChain(from start: UInt32, _ walked: Int, _ limit: Int) -> (end: UInt32, steps: Int) {
    var index = start, steps = walked
    while true {
      let target = slots + Int(index)
      state.pointee.waveHeight = target.pointee.height
      guard evaluate(target) else { return (0, steps) }
      tellIfDropped(target)
      if _slowPath(target.hasMark(Mark.watched)) { touch(target) }
      let edge = target.pointee.firstOut
      if edge == 0 || steps >= limit { return (index, steps) }
      let record = edges + Int(edge)
      // No binding, and alive.
      guard record.pointee.nextOut == 0, record.pointee.flags & ~EdgeFlag.back == 0,
        isLoneComputed(slots + Int(record.pointee.target), record, false)
      else { return (index, steps) }
      steps &+= 1
      index = record.pointee.target
    }
  }

  /// Whether `queuedReader` holds for a slot, by the first edge that leaves it.
  @inline(__always)
  func leadsToQueued(_ record: UnsafeMutablePointer<TideEdge>, _ slots: Slot) -> Bool {
    if record.pointee.nextOut != 0 { return false }
    let target = slots + Int(record.pointee.target)
    let both = Mark.queued | Mark.stale
    return target.pointee.state & (both | Shortcuts.queuedReader.rawValue) == both
      && target.pointee.kind == Kind.computed
  }
}
