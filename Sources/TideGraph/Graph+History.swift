public import CTideSlots

// Why values are what they are: what changed each slot last, and what it held before. Kept only
// where somebody may ask, and then in one record of 64 bytes a slot.

extension Graph {
  /// Begins to keep the history; does nothing when it is kept already, or without memory.
  package func keepHistory() {
    if keepsHistory { return }
    guard let history = tide_history_keep(arena) else { return }
    for edge in 1..<Int(arena.pointee.edgeCount) where edges[edge].flags & EdgeFlag.binding != 0 {
      edges[edge].flags |= EdgeFlag.noted
    }
    history.pointee.text = { slot, buffer, room in
      guard let slot, let buffer else { return 0 }
      return UnsafeMutablePointer(mutating: slot).copyText(to: buffer, room: Int(room))
    }
  }

  package var keepsHistory: Bool { arena.pointee.history != nil }

  /// Stores to a slot by a function, which says whether that changed it, and notes the change.
  @inlinable @inline(__always)
  package static func noting(_ slot: Slot, _ store: () -> Bool) -> Bool {
    if let history = tide_arena_of(slot).pointee.history {
      return note(slot, in: history, store)
    }
    return store()
  }

  @usableFromInline @inline(never)
  static func note(
    _ slot: Slot, in history: UnsafeMutablePointer<TideHistory>, _ store: () -> Bool
  ) -> Bool {
    let tag = slot.pointee.tag, bits = slot.pointee.lo
    guard store() else { return false }
    let generation = tide_block_generation(slot)
    tide_history_note(history, slot.index, generation, tag, bits, history.writingLocation)
    return true
  }

  /// What a slot holds, for a change that is noted later.
  package func contents(of slot: Slot) -> (tag: UInt8, bits: UInt64) {
    (slot.pointee.tag, slot.pointee.lo)
  }

  /// Notes that a slot has been stored to.
  package func noteChange(of slot: Slot, from before: (tag: UInt8, bits: UInt64)) {
    guard let history = arena.pointee.history else { return }
    let generation = tide_block_generation(slot)
    tide_history_note(
      history, slot.index, generation, before.tag, before.bits, history.writingLocation)
  }

  /// Notes a change of a slot whose old value says nothing: that a list was edited, or an object
  /// made.
  package func noteEvent(at slot: Slot, _ cause: Change.Cause? = nil) {
    guard let history = arena.pointee.history else { return }
    let before = history.pointee.causer
    if let cause { _ = tide_history_begin(history, cause.rawValue, 0) }
    let location = cause == nil ? history.writingLocation : history.currentLocation
    let generation = tide_block_generation(slot)
    tide_history_note(history, slot.index, generation, Tag.null, 0, location)
    tide_history_end(history, before)
  }

  /// What a function writes, a person has written; or, in a handler of what a person did, the
  /// program.
  package func `as`<Result>(
    _ cause: Change.Cause, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let history = arena.pointee.history else { return try body() }
    let before = tide_history_begin(history, cause.rawValue, 0)
    defer { tide_history_end(history, before) }
    return try body()
  }

  /// What a function writes, a line of another program has written, which has a number here.
  package func writing<Result>(
    at location: UInt32, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let history = arena.pointee.history else { return try body() }
    history.pointee.foreign = location
    defer { history.pointee.foreign = 0 }
    return try body()
  }

  /// Attributes all changes that a function makes to the act with this number.
  package func during<Result>(act: UInt16, _ body: () throws -> Result) rethrows -> Result {
    guard let history = arena.pointee.history else { return try body() }
    let before = history.pointee.act
    history.pointee.act = act
    defer { arena.pointee.history?.pointee.act = before }
    return try body()
  }

  /// The number of the latest change.
  package var latestSequence: UInt64 { arena.pointee.history?.pointee.sequence ?? 0 }

  /// What is known of one slot is known of the slot that replaced it.
  package func keepHistory(of old: Slot, in new: Slot) {
    guard let change = tide_history_latest(arena, old), let history = arena.pointee.history else {
      return
    }
    tide_history_move(history, change, new)
  }

  /// Lets a function store in a slot for a moment, and leaves what is known of the slot as it is.
  package func keepingHistory<Result>(of slot: Slot, _ body: () -> Result) -> Result {
    guard let history = arena.pointee.history else { return body() }
    let entry = tide_history_entry(history, slot.index)
    guard let entry else { return body() }
    let known = entry.pointee
    defer { entry.pointee = known }
    return body()
  }

  /// What changed a slot last; nil where that was too long ago, or never.
  package func lastChange(of slot: Slot) -> Change? {
    tide_history_latest(arena, slot).map { Change($0.pointee) }
  }
}

extension Graph {
  /// Follows a change along a binding that is noted; true when the walk should go on into its
  /// target.
  @inline(never)
  func carryNoting(
    _ record: UnsafeMutablePointer<TideEdge>, _ edge: EdgeIndex, _ index: UInt32, _ target: Slot
  ) -> Bool {
    let source = slots + Int(record.pointee.source)
    return carry(record, edge, source, index, target, bodies, isNoted: true)
      && target.pointee.firstOut != 0
  }

  /// Carries a value along a binding, and notes it.
  func applyNoting(
    _ record: UnsafeMutablePointer<TideEdge>, _ edge: EdgeIndex, _ source: Slot, _ target: Slot
  ) -> Bool {
    guard let history = arena.pointee.history else {
      return applyBody(record, edge, source, target, bodies)
    }
    let tag = target.pointee.tag, bits = target.pointee.lo
    let before = history.pointee.causer
    let causer = TideCauser(
      number: edge, edgeGeneration: record.pointee.generation,
      cause: Change.Cause.binding.rawValue)
    history.pointee.causer = causer
    let start = history.pointee.measures == nil ? 0 : tide_history_clock()
    let profile = history.pointee.profile
    if let profile {
      tide_profile_enter(
        profile, Profile.Key.binding(edge, generation: record.pointee.generation).number)
    }
    if let runs = history.pointee.bindingRuns, !isEcho(record, source, history) {
      runs[Int(edge)] &+= 1
    }
    let isNew = applyBody(record, edge, source, target, bodies)
    // It may have been taken away meanwhile.
    if let profile, profile == history.pointee.profile { tide_profile_leave(profile) }
    if start != 0 { tide_history_spend(history, target.index, start) }
    if isNew {
      // The body may have been called for others meanwhile.
      history.pointee.causer = causer
      let generation = tide_block_generation(target)
      tide_history_note(history, target.index, generation, tag, bits, 0)
    }
    history.pointee.causer = before
    return isNew
  }

  /// Whether what a binding of two ways is about to carry back is what it has just carried here.
  private func isEcho(
    _ record: UnsafeMutablePointer<TideEdge>, _ source: Slot,
    _ history: UnsafeMutablePointer<TideHistory>
  ) -> Bool {
    guard let change = tide_history_entry(history, source.index)?.pointee,
      change.slot == source.index, change.causer.cause == Change.Cause.binding.rawValue
    else { return false }
    return edges[Int(change.causer.number)].owner == record.pointee.owner
  }

  /// Runs a slot's body, by which it is what it writes, or what it evaluates to.
  @inline(__always)
  func noting<Result>(
    _ cause: Change.Cause, by slot: Slot, _ body: () -> Result
  ) -> Result {
    guard let history = arena.pointee.history else { return body() }
    let before = tide_history_begin(history, cause.rawValue, slot.index)
    let start = history.pointee.measures == nil ? 0 : tide_history_clock()
    let profile = history.pointee.profile
    if let profile { tide_profile_enter(profile, Profile.Key.slot(slot).number) }
    defer {
      // It may have been taken away meanwhile.
      if let profile, profile == history.pointee.profile { tide_profile_leave(profile) }
      if start != 0 { tide_history_spend(history, slot.index, start) }
      tide_history_end(history, before)
    }
    return body()
  }
}

extension UnsafeMutablePointer<TideHistory> {
  /// The line of a script that writes. A binding's and a computed value's locations are their own,
  /// and a person has none.
  fileprivate var writingLocation: UInt32 {
    let cause = Change.Cause(rawValue: pointee.causer.cause)
    guard cause == .write || cause == .body else { return 0 }
    return currentLocation
  }

  fileprivate var currentLocation: UInt32 {
    pointee.foreign != 0 ? pointee.foreign : pointee.locate?(pointee.host) ?? 0
  }
}

extension Slot {
  /// Copies the text that Swift wrote, as far as there is room; gives its whole length.
  fileprivate func copyText(to buffer: UnsafeMutablePointer<CChar>, room: Int) -> UInt32 {
    guard pointee.tag == Tag.string else { return 0 }
    var text = text.pointee
    return text.withUTF8 { utf8 in
      if let start = utf8.baseAddress {
        UnsafeMutableRawPointer(buffer).copyMemory(from: start, byteCount: min(utf8.count, room))
      }
      return UInt32(clamping: utf8.count)
    }
  }
}
