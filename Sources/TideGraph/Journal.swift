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
package final class Journal {
  private unowned let graph: Graph
  private var entries: [UInt32: Entry] = [:]
  private var objects: [ObjectIdentifier: (object: AnyObject, undo: () -> Void)] = [:]

  private struct Entry {
    /// Of the slot's block.
    let generation: UInt32
    let value: Value
  }

  fileprivate init(_ graph: Graph) { self.graph = graph }

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

  /// A slot was replaced by another, which holds the same.
  package func moved(_ old: Slot, to new: Slot) {
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
  /// Keeps what is overwritten from now on until `end`. There is one journal at a time.
  package func beginJournal() -> Journal {
    let journal = Journal(self)
    keepHistory()
    guard let history = arena.pointee.history else { return journal }
    history.pointee.journal = Unmanaged.passUnretained(journal).toOpaque()
    history.pointee.keptSince = history.pointee.sequence
    history.pointee.keep = { journal, slot, tag, bits in
      guard let journal, let slot else { return }
      Unmanaged<Journal>.fromOpaque(journal)._withUnsafeGuaranteedRef { $0.keep(slot, tag, bits) }
    }
    return journal
  }

  /// Whether a journal is active.
  package var hasJournal: Bool { arena.pointee.history?.pointee.journal != nil }

  /// Stops recording overwritten values. Has no effect if another journal has become active.
  package func end(_ journal: Journal) {
    guard let history = arena.pointee.history,
      history.pointee.journal == Unmanaged.passUnretained(journal).toOpaque()
    else { return }
    arena.pointee.history?.pointee.keep = nil
    arena.pointee.history?.pointee.journal = nil
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
