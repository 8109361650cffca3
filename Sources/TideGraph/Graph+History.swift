public import CTideSlots

// The history records each slot's last change and previous value. It is kept only on request, and
// then takes one record of 64 bytes per slot. On request, the latest 8,192 changes of all slots are
// logged as well.

extension Graph {
  /// Starts the history. Does nothing if it is already kept or the system refuses memory.
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

  /// Stores to a slot by a function, which returns whether the slot changed, and records the
  /// change.
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

  /// The content of a slot, for a change that is recorded later.
  package func contents(of slot: Slot) -> (tag: UInt8, bits: UInt64) {
    (slot.pointee.tag, slot.pointee.lo)
  }

  /// Records a store to a slot.
  package func noteChange(of slot: Slot, from before: (tag: UInt8, bits: UInt64)) {
    guard let history = arena.pointee.history else { return }
    let generation = tide_block_generation(slot)
    tide_history_note(
      history, slot.index, generation, before.tag, before.bits, history.writingLocation)
  }

  /// Records a change of a slot whose previous value is meaningless, such as the editing of a list
  /// or the creation of an object.
  package func noteEvent(at slot: Slot, _ cause: Change.Cause? = nil) {
    guard let history = arena.pointee.history else { return }
    let before = history.pointee.causer
    if let cause { _ = tide_history_begin(history, cause.rawValue, 0) }
    let location = cause == nil ? history.writingLocation : history.currentLocation
    let generation = tide_block_generation(slot)
    tide_history_note(history, slot.index, generation, Tag.null, 0, location)
    tide_history_end(history, before)
  }

  /// Attributes all changes that a function makes to the given cause, such as a person's input.
  package func `as`<Result>(
    _ cause: Change.Cause, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let history = arena.pointee.history else { return try body() }
    let before = tide_history_begin(history, cause.rawValue, 0)
    defer { tide_history_end(history, before) }
    return try body()
  }

  /// Attributes all changes that a function makes to a line of another program, by its number in
  /// this process.
  package func writing<Result>(
    at location: UInt32, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let history = arena.pointee.history else { return try body() }
    history.pointee.foreign = location
    defer { history.pointee.foreign = 0 }
    return try body()
  }

  /// Attributes all changes that a function makes to the action with the given number.
  package func during<Result>(act: UInt16, _ body: () throws -> Result) rethrows -> Result {
    guard let history = arena.pointee.history else { return try body() }
    let before = history.pointee.act
    history.pointee.act = act
    defer { arena.pointee.history?.pointee.act = before }
    return try body()
  }

  /// The number of the latest change.
  package var latestSequence: UInt64 { arena.pointee.history?.pointee.sequence ?? 0 }

  /// Moves a slot's history to the slot that replaced it.
  package func keepHistory(of old: Slot, in new: Slot) {
    guard let change = tide_history_latest(arena, old), let history = arena.pointee.history else {
      return
    }
    tide_history_move(history, change, new)
  }

  /// Begins to log the latest changes of all slots. Returns false if no history is kept or memory
  /// runs out.
  @discardableResult
  package func logChanges() -> Bool { tide_history_log(arena) }

  /// The logged changes after one up to another, by their sequence numbers, oldest first. Changes
  /// that were overwritten in the log, or whose slot is gone, are left out.
  package func loggedChanges(after first: UInt64, upTo last: UInt64) -> [(slot: Slot, Change)] {
    guard let history = arena.pointee.history, history.pointee.log != nil, last > first else {
      return []
    }
    let count = min(last - first, UInt64(TIDE_LOG_ENTRIES))
    return (last - count + 1...last).compactMap { sequence in
      guard let record = tide_history_logged(history, sequence)?.pointee else { return nil }
      let slot = slot(at: record.slot)
      guard slot.pointee.kind != Kind.free, tide_block_generation(slot) == record.generation else {
        return nil
      }
      return (slot, Change(record))
    }
  }

  /// Runs a function that stores to a slot temporarily, and leaves the slot's history unchanged.
  package func keepingHistory<Result>(of slot: Slot, _ body: () -> Result) -> Result {
    guard let history = arena.pointee.history else { return body() }
    let entry = tide_history_entry(history, slot.index)
    guard let entry else { return body() }
    let known = entry.pointee
    defer { entry.pointee = known }
    return body()
  }

  /// The slot's last change; nil if there was none or its record has been reused.
  package func lastChange(of slot: Slot) -> Change? {
    tide_history_latest(arena, slot).map { Change($0.pointee) }
  }
}

extension Graph {
  /// Propagates a change along a binding whose transfers are recorded. Returns true if the walk
  /// should continue into the target.
  @inline(never)
  func carryNoting(
    _ record: UnsafeMutablePointer<TideEdge>, _ edge: EdgeIndex, _ index: UInt32, _ target: Slot
  ) -> Bool {
    let source = slots + Int(record.pointee.source)
    return carry(record, edge, source, index, target, bodies, isNoted: true)
      && target.pointee.firstOut != 0
  }

  /// Transfers a value along a binding and records the change.
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
    // Profiling may have ended meanwhile.
    if let profile, profile == history.pointee.profile { tide_profile_leave(profile) }
    if start != 0 { tide_history_spend(history, target.index, start) }
    if isNew {
      // The body may have changed the current causer meanwhile.
      history.pointee.causer = causer
      let generation = tide_block_generation(target)
      tide_history_note(history, target.index, generation, tag, bits, 0)
    }
    history.pointee.causer = before
    return isNew
  }

  /// Whether a two-way binding is about to transfer back the value that it has just transferred.
  private func isEcho(
    _ record: UnsafeMutablePointer<TideEdge>, _ source: Slot,
    _ history: UnsafeMutablePointer<TideHistory>
  ) -> Bool {
    guard let change = tide_history_entry(history, source.index)?.pointee,
      change.slot == source.index, change.causer.cause == Change.Cause.binding.rawValue
    else { return false }
    return edges[Int(change.causer.number)].owner == record.pointee.owner
  }

  /// Runs a slot's body, and attributes its writes or its value to the slot.
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
      // Profiling may have ended meanwhile.
      if let profile, profile == history.pointee.profile { tide_profile_leave(profile) }
      if start != 0 { tide_history_spend(history, slot.index, start) }
      tide_history_end(history, before)
    }
    return body()
  }
}

extension UnsafeMutablePointer<TideHistory> {
  /// The line of the script that is writing. Changes by bindings, computed values and input have no
  /// line.
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
  /// Copies as much of a string written by Swift as fits into the buffer. Returns its whole length.
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
