import CTideSlots

/// What a graph's slots, and objects that keep more than slots, held before a stretch of changes,
/// so that all of it can be taken back.
///
/// ```swift
/// let journal = graph.beginJournal()
/// model.name = "Bert"
/// graph.end(journal)
/// journal.rollBack()     // "Ada" again
/// ```
///
/// Kept is the first value of each slot that changes, so the cost grows with what changes. It is
/// the history that tells of changes: where none is kept, no journal is either.
///
/// Journals nest. The innermost one records; when it ends, the one around it takes over its entries,
/// whether or not they have been rolled back:
///
///     outer   ├──a──┤              ├──d──┤     rolls back a, b, c and d
///     inner         ├──b──c──┤                 rolls back b and c alone
///
/// Values that ``Graph/restoring(_:)`` brings in stay: rolled back, they would be written over in
/// the database that they come from. Only a journal that includes restored values takes them back.
package final class Journal {
  private unowned let graph: Graph
  private var entries: [UInt32: Entry] = [:]
  private var objects: [ObjectIdentifier: (object: AnyObject, undo: () -> Void)] = [:]
  /// The journal around it, while it is active.
  fileprivate var outer: Journal?
  /// The history's sequence number when it began, or when it last forgot entries.
  fileprivate var since: UInt64
  fileprivate let includesRestored: Bool
  /// The journal that has taken over its entries.
  private var successor: Journal?
  private var isRolledBack = false

  private struct Entry {
    /// Of the slot's block.
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

  /// How often what is taken back may set off changes of its own.
  private static let passes = 8

  /// Keeps what an object will need to be as it was; only the first time for an object.
  package func keep(_ object: AnyObject, _ undo: () -> () -> Void) {
    let key = ObjectIdentifier(object)
    if objects[key] == nil { objects[key] = (object, undo()) }
  }

  fileprivate func keep(_ slot: Slot, _ tag: UInt8, _ bits: UInt64) {
    // Nodes that stand for themselves end with who made them, and so do dying objects. What is read
    // only is its object's own affair, and may name an object without keeping it alive.
    guard slot.hasMark(Mark.inner), slot.pointee.kind == Kind.source,
      slot.pointee.access & Access.readOnly == 0, let header = slot.blockHeader,
      header.pointee.lo != 0, entries[slot.index] == nil
    else { return }
    entries[slot.index] = Entry(
      generation: header.pointee.generation, value: slot.content(tag, bits))
  }

  /// Takes over what another journal has recorded since this one began.
  fileprivate func adopt(_ inner: Journal) {
    entries.merge(inner.entries) { first, _ in first }
    objects.merge(inner.objects) { first, _ in first }
  }

  /// Has no journal take back what it has recorded. Later changes of the same slots are recorded
  /// again.
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

  /// Hands its entries over to the journal around it.
  fileprivate func close() {
    defer { outer = nil }
    guard let outer else { return }
    outer.adopt(self)
    // A journal that was rolled back before restores nothing on behalf of this one.
    if !outer.isRolledBack { successor = outer }
  }

  /// Whether a journal that has taken over its entries was rolled back. The slots then hold older
  /// values than those recorded here.
  private var isSuperseded: Bool {
    var next = successor
    while let journal = next {
      if journal.isRolledBack { return true }
      next = journal.successor
    }
    return false
  }

  /// A slot was replaced by another, which holds the same.
  package func moved(_ old: Slot, to new: Slot) {
    outer?.moved(old, to: new)
    guard let entry = entries.removeValue(forKey: old.index), entries[new.index] == nil,
      let header = new.blockHeader
    else { return }
    entries[new.index] = Entry(generation: header.pointee.generation, value: entry.value)
  }

  /// Writes what was there before to all slots that are still there and for which `applies` is
  /// true.
  ///
  /// What observes them may write in turn; that is taken back as well.
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
  /// Keeps what is overwritten from now on until `end`. A journal that is active already is
  /// suspended until then.
  ///
  /// - Parameter includesRestored: whether rolling back also takes back values that
  ///   ``restoring(_:)`` has brought in.
  package func beginJournal(includesRestored: Bool = false) -> Journal {
    keepHistory()
    let journal = Journal(
      self, within: activeJournal, since: historySequence, includesRestored: includesRestored)
    activate(journal)
    return journal
  }

  /// Runs changes that bring in values from a database, a file or a peer. Rolling back an active
  /// journal leaves them and their immediate consequences as they are.
  package func restoring<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let active = activeJournal, !active.includesRestored else { return try body() }
    let journal = beginJournal()
    defer {
      journal.makePermanent()
      end(journal)
    }
    return try body()
  }

  /// Takes over values from a database or a peer: as one change, which depends on nothing that is
  /// read for it, and which no handler takes back.
  package func adopt<Result>(_ body: () throws -> Result) rethrows -> Result {
    try restoring { try untracked { try batch(body) } }
  }

  fileprivate var historySequence: UInt64 { arena.pointee.history?.pointee.sequence ?? 0 }

  /// Stops recording in a journal; the one around it goes on with its entries. Has no effect if the
  /// journal has ended.
  package func end(_ journal: Journal) {
    var inner: [Journal] = []
    var next = activeJournal
    while let each = next, each !== journal {
      inner.append(each)
      next = each.outer
    }
    guard next != nil else { return }
    // What journals within it have recorded is of its time as well.
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

  /// The journal that is kept at present of the graph that a slot lies in.
  package static func journal(of slot: Slot) -> Journal? {
    guard let journal = tide_arena_of(slot).pointee.history?.pointee.journal else { return nil }
    return Unmanaged<Journal>.fromOpaque(journal).takeUnretainedValue()
  }
}

extension Slot {
  /// What it held, by the tag and bits of then. Text and objects are still in it.
  fileprivate func content(_ tag: UInt8, _ bits: UInt64) -> Value {
    switch tag {
    case Tag.integer: return .integer(Int(Int64(bitPattern: bits)))
    case Tag.number: return .number(Double(bitPattern: bits))
    case Tag.boolean: return .boolean(bits != 0)
    case Tag.string: return .string(text.pointee)
    case Tag.bytes:
      // Not turned into a string in place: who overwrites it holds on to the bytes.
      let bytes = Array(rawBytes)
      return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
    case Tag.object: return reference.map { .object($0.takeUnretainedValue()) } ?? .null
    default: return .null
    }
  }
}
