import CTideSlots

/// Records what a graph's slots, and objects with further state, held before a sequence of changes,
/// so that all of it can be rolled back.
///
/// ```swift
/// let journal = graph.beginJournal()
/// model.name = "Bert"
/// graph.end(journal)
/// journal.rollBack()     // "Ada" again
/// ```
///
/// The journal records the first value of each slot that changes, so the cost grows with the number
/// of changed slots. It relies on the history: without a history there is no journal.
///
/// Journals nest. The innermost one records. When it ends, the journal around it takes over its
/// entries, whether or not they have been rolled back:
///
///     outer   ├──a──┤              ├──d──┤     rolls back a, b, c and d
///     inner         ├──b──c──┤                 rolls back b and c alone
///
/// Values that ``Graph/restoring(_:)`` brings in are not rolled back, because rolling them back
/// would overwrite them in the database that they come from. Only a journal that includes restored
/// values rolls them back.
package final class Journal {
  private unowned let graph: Graph
  private var entries: [UInt32: Entry] = [:]
  private var objects: [ObjectIdentifier: (object: AnyObject, undo: () -> Void)] = [:]
  /// The outer journal, while this one is active.
  fileprivate var outer: Journal?
  /// The history's sequence number when the journal began or last discarded entries.
  fileprivate var since: UInt64
  fileprivate let includesRestored: Bool
  /// The journal that has taken over this one's entries.
  private var successor: Journal?
  private var isRolledBack = false

  private struct Entry {
    /// The generation of the slot's block.
    let generation: UInt32
    let value: Value
  }

  fileprivate init(
    _ graph: Graph, within outer: Journal?, since: UInt64, includesRestored: Bool
  ) {
    self.graph = graph
    self.outer = outer
    self.since = since
    self.includesRestored = includesRestored
  }

  /// The number of properties, lists and dicts that it can restore.
  package var count: Int { entries.count + objects.count }

  /// The maximum number of passes, because rolling back may trigger further changes.
  private static let passes = 8

  /// Records how to restore an object. Only the first call for an object has an effect.
  package func keep(_ object: AnyObject, _ undo: () -> () -> Void) {
    let key = ObjectIdentifier(object)
    if objects[key] == nil { objects[key] = (object, undo()) }
  }

  fileprivate func keep(_ slot: Slot, _ tag: UInt8, _ bits: UInt64) {
    // Nodes outside of blocks end with their creators, and dying objects need no entry. Read-only
    // slots are managed by their objects, and may refer to an object without retaining it.
    guard slot.hasMark(Mark.inner), slot.pointee.kind == Kind.source,
      slot.pointee.access & Access.readOnly == 0, let header = slot.blockHeader,
      header.pointee.lo != 0, entries[slot.index] == nil
    else { return }
    entries[slot.index] = Entry(
      generation: header.pointee.generation, value: slot.content(tag, bits))
  }

  /// Takes over another journal's entries for slots and objects that this journal has not recorded.
  fileprivate func adopt(_ inner: Journal) {
    entries.merge(inner.entries) { first, _ in first }
    objects.merge(inner.objects) { first, _ in first }
  }

  /// Excludes the recorded changes from being rolled back by any journal. Later changes of the same
  /// slots are recorded again.
  fileprivate func makePermanent() {
    var next = outer
    while let journal = next {
      for index in entries.keys { journal.entries[index] = nil }
      for key in objects.keys { journal.objects[key] = nil }
      journal.since = graph.historySequence
      next = journal.outer
    }
    entries = [:]
    objects = [:]
  }

  /// Moves the entries to the outer journal.
  fileprivate func close() {
    defer { outer = nil }
    guard let outer else { return }
    outer.adopt(self)
    // A journal that was rolled back before cannot restore this one's entries.
    if !outer.isRolledBack { successor = outer }
  }

  /// Whether a journal that has taken over the entries was rolled back. The slots then hold older
  /// values than those recorded here.
  private var isSuperseded: Bool {
    var next = successor
    while let journal = next {
      if journal.isRolledBack { return true }
      next = journal.successor
    }
    return false
  }

  /// Updates the entry of a slot that was replaced by another one with the same content.
  package func moved(_ old: Slot, to new: Slot) {
    outer?.moved(old, to: new)
    guard let entry = entries.removeValue(forKey: old.index), entries[new.index] == nil,
      let header = new.blockHeader
    else { return }
    entries[new.index] = Entry(generation: header.pointee.generation, value: entry.value)
  }

  /// Restores all slots that still exist and for which `applies` returns true.
  ///
  /// Observers may write in response; their changes are rolled back as well.
  package func rollBack(where applies: (Slot, Value) -> Bool = { _, _ in true }) {
    if isSuperseded { return }
    isRolledBack = true
    for _ in 0..<Self.passes {
      var hasChanged = false
      graph.batch {
        for (object, undo) in objects.values { withExtendedLifetime(object, undo) }
        for (index, entry) in entries {
          let slot = graph.slot(at: index)
          guard slot.pointee.kind == Kind.source, let header = slot.blockHeader,
            header.pointee.generation == entry.generation, header.pointee.lo != 0,
            applies(slot, entry.value)
          else { continue }
          if graph.write(slot, entry.value) { hasChanged = true }
        }
      }
      graph.settle()
      if !hasChanged { return }
    }
  }
}

extension Graph {
  /// Records overwritten values until `end` is called. An active journal is suspended until then.
  ///
  /// - Parameter includesRestored: Whether a rollback also reverts values that ``restoring(_:)``
  ///   has brought in.
  package func beginJournal(includesRestored: Bool = false) -> Journal {
    keepHistory()
    let journal = Journal(
      self, within: activeJournal, since: historySequence, includesRestored: includesRestored)
    activate(journal)
    return journal
  }

  /// Runs changes that bring in values from a database, a file or a peer. Rolling back an active
  /// journal leaves these values and their immediate consequences unchanged.
  package func restoring<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let active = activeJournal, !active.includesRestored else { return try body() }
    let journal = beginJournal()
    defer {
      journal.makePermanent()
      end(journal)
    }
    return try body()
  }

  /// Takes over values from a database or a peer as one batch. Reads inside it are not recorded,
  /// and an active journal does not roll the changes back.
  package func adopt<Result>(_ body: () throws -> Result) rethrows -> Result {
    try restoring { try untracked { try batch(body) } }
  }

  fileprivate var historySequence: UInt64 { arena.pointee.history?.pointee.sequence ?? 0 }

  /// Stops recording in a journal; the outer journal resumes and takes over its entries. Does
  /// nothing if the journal has ended.
  package func end(_ journal: Journal) {
    var inner: [Journal] = []
    var next = activeJournal
    while let each = next, each !== journal {
      inner.append(each)
      next = each.outer
    }
    guard next != nil else { return }
    // The entries of inner journals are from its time as well.
    for each in inner.reversed() { journal.adopt(each) }
    if let last = inner.last { last.outer = journal.outer } else { activate(journal.outer) }
    journal.close()
  }

  private func activate(_ journal: Journal?) {
    guard let history = arena.pointee.history else { return }
    guard let journal else {
      history.pointee.keep = nil
      history.pointee.journal = nil
      return
    }
    history.pointee.journal = Unmanaged.passUnretained(journal).toOpaque()
    history.pointee.keptSince = journal.since
    history.pointee.keep = { journal, slot, tag, bits in
      guard let journal, let slot else { return }
      Unmanaged<Journal>.fromOpaque(journal)._withUnsafeGuaranteedRef { $0.keep(slot, tag, bits) }
    }
  }

  private var activeJournal: Journal? {
    guard let journal = arena.pointee.history?.pointee.journal else { return nil }
    return Unmanaged<Journal>.fromOpaque(journal).takeUnretainedValue()
  }

  /// The active journal of a slot's graph.
  package static func journal(of slot: Slot) -> Journal? {
    guard let journal = tide_arena_of(slot).pointee.history?.pointee.journal else { return nil }
    return Unmanaged<Journal>.fromOpaque(journal).takeUnretainedValue()
  }
}

extension Slot {
  /// The slot's previous value, from its previous tag and bits. Its string or object is still in
  /// the slot.
  fileprivate func content(_ tag: UInt8, _ bits: UInt64) -> Value {
    switch tag {
    case Tag.integer: return .integer(Int(Int64(bitPattern: bits)))
    case Tag.number: return .number(Double(bitPattern: bits))
    case Tag.boolean: return .boolean(bits != 0)
    case Tag.string: return .string(text.pointee)
    case Tag.bytes:
      // Not converted to a string in place, because the writer that is overwriting the slot retains
      // the bytes.
      let bytes = Array(rawBytes)
      return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
    case Tag.object: return reference.map { .object($0.takeUnretainedValue()) } ?? .null
    default: return .null
    }
  }
}
