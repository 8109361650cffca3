package import TideGraph

/// The elements of several lists, one list after the other.
///
/// An edit of one of them is the same edit here at an offset. The offset is found in time
/// logarithmic in the number of lists. A list may occur more than once.
package final class ConcatenatedList: LiveList, ListFollower {
  package private(set) var sources: [ValueList]
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private var counts = PrefixCounts()
  @exclusivity(unchecked) private var pending = WaitingEdits<(source: Int, edit: Edit)>()
  @exclusivity(unchecked) private var needsRebuild = true
  private var indexes: [ObjectIdentifier: [Int]] = [:]

  package init(_ sources: [ValueList]) {
    self.sources = sources
    super.init()
    for (index, source) in sources.enumerated() {
      if indexes[ObjectIdentifier(source)] == nil { source.add(self) }
      indexes[ObjectIdentifier(source), default: []].append(index)
    }
  }

  deinit { ChainedRelease.release(&sources, leaving: []) }

  package override func conceals(_ value: Value) -> Bool {
    sources.contains { $0.conceals(value) }
  }

  package override func trackConcealed() { for source in sources { source.trackConcealed() } }

  /// Adds the memory of the elements, and of the tables that map sources to them.
  package override func addHeld(to meter: inout MemoryMeter) {
    super.addHeld(to: &meter)
    meter.add(Self.emptyWeight + sources.count * Self.sourceWeight)
  }

  package static var emptyWeight: Int { 400 }
  /// The size in bytes of a source's entries in the tables, and of its follower.
  package static var sourceWeight: Int { 240 }

  package func list(_ list: ValueList, did edit: Edit, to old: [Value]) {
    for index in indexes[ObjectIdentifier(list)] ?? [] where !needsRebuild {
      needsRebuild = !pending.add((index, edit), weight: edit.weight, among: storage.count)
    }
  }

  override func catchUp() throws(WorkError) {
    for source in sources { source.beginReading() }
    if needsRebuild { return try rebuild() }
    var clock = WorkClock()
    for (source, edit) in pending.take() {
      do {
        try clock.step()
      } catch {
        // The edits made so far are reported when the rest has been found by comparing.
        needsRebuild = true
        throw error
      }
      emit(edit.moved(by: counts.total(before: source)))
      counts.add(edit.growth, at: source)
    }
  }

  private func rebuild() throws(WorkError) {
    pending.clear()
    let parts = graph.untracked { sources.map(\.values) }
    let changes = try ListDifference.changes(
      from: storage.elements(in: 0..<storage.count), to: Array(parts.joined()))
    counts = PrefixCounts(parts.map(\.count))
    needsRebuild = false
    for change in changes { emit(.change(change)) }
  }
}

extension ValueList.Edit {
  /// The same edit at an offset.
  fileprivate func moved(by offset: Int) -> Self {
    if offset == 0 { return self }
    switch self {
    case .insert(let values, let position): return .insert(values, at: position + offset)
    case .remove(let range): return .remove(range.lowerBound + offset..<range.upperBound + offset)
    case .replace(let value, let position): return .replace(value, at: position + offset)
    case .move(let from, let to): return .move(from: from + offset, to: to + offset)
    case .change(var change):
      change.indexes = change.indexes.map { $0 + offset }
      return .change(change)
    }
  }

  /// The change of the list's count.
  fileprivate var growth: Int {
    switch self {
    case .insert(let values, _): values.count
    case .remove(let range): -range.count
    case .replace, .move: 0
    case .change(let change):
      switch change.kind {
      case .insertion: change.indexes.count
      case .removal: -change.indexes.count
      case .replacement, .move: 0
      }
    }
  }
}
