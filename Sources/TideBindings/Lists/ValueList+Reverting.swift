import TideGraph

extension ValueList {
  /// Undoes an edit.
  ///
  /// - Parameters:
  ///   - old: the elements that the edit removed, replaced or moved.
  ///   - isExact: whether the list has not been edited since. If it has, added elements are removed
  ///     wherever they are now, and removed elements are inserted as near to their former positions
  ///     as the list has room.
  package final func takeBack(_ edit: Edit, _ old: [Value], isExact: Bool) throws(TideError) {
    guard let undoing = edit.undoing(old) else { return }
    try prepare()
    if isExact, fits(undoing) {
      commit(undoing)
      return
    }
    let affected = edit.kind == .move ? old : edit.added
    for change in undoing.change(replacing: affected).single { try take(change) }
  }

  /// Whether undoing an edit would change anything: the elements that it added may be gone.
  package final func canTakeBack(_ edit: Edit, _ old: [Value], isExact: Bool) -> Bool {
    guard let undoing = edit.undoing(old) else { return false }
    if isExact, fits(undoing) { return true }
    let affected = edit.kind == .move ? old : edit.added
    return undoing.change(replacing: affected).single.contains(where: canTake)
  }

  /// Whether several edits together have left the list as it was. Each is given with the elements
  /// that it removed, replaced or moved.
  package final func isAsBefore(_ edits: [(edit: Edit, old: [Value])]) -> Bool {
    var before = storage
    for (edit, old) in edits.reversed() {
      guard let undoing = edit.undoing(old) else { continue }
      guard Self.fits(undoing, in: before.count) else { return false }
      _ = before.apply(undoing)
    }
    return before.count == storage.count
      && before.elements(in: 0..<before.count) == storage.elements(in: 0..<storage.count)
  }

  private func canTake(_ change: ListChange) -> Bool {
    guard let object = change.objects.first, let index = change.indexes.first else { return false }
    return switch change.kind {
    case .insertion: true
    case .removal, .move: place(of: object, near: index) != nil
    case .replacement:
      change.replaced.first.map { place(of: $0, near: index) != nil } ?? false
    }
  }

  private func fits(_ edit: Edit) -> Bool { Self.fits(edit, in: storage.count) }

  private static func fits(_ edit: Edit, in count: Int) -> Bool {
    switch edit {
    case .insert(_, let position): position <= count
    case .remove(let range): range.upperBound <= count
    case .replace(_, let position): position < count
    case .move(let from, let to): max(from, to) < count
    case .change(let change):
      change.indexes.allSatisfy {
        $0 < count + (change.kind == .insertion ? change.indexes.count : 0)
      }
    }
  }

  private static let nearby = 16

  /// Makes a change of one element at that element's current position.
  private func take(_ change: ListChange) throws(TideError) {
    guard let object = change.objects.first, let index = change.indexes.first else { return }
    switch change.kind {
    case .insertion: try insert(object, at: min(index, storage.count))
    case .removal:
      if let place = place(of: object, near: index) { try remove(at: place) }
    case .replacement:
      if let held = change.replaced.first, let place = place(of: held, near: index) {
        try replace(at: place, with: object)
      }
    case .move:
      if let place = place(of: object, near: index), let target = change.indexes.last {
        try move(from: place, to: min(target, storage.count - 1))
      }
    }
  }

  /// The index of the element that is nearest to a given index, searched within a few rows; else
  /// the element's first index.
  private func place(of element: Value, near index: Int) -> Int? {
    for distance in 0...Self.nearby {
      for place in [index + distance, index - distance]
      where 0 <= place && place < storage.count && storage[place] == element { return place }
    }
    return Graph.untracked(at: firstSlot) { self.index(of: element) }
  }
}

extension ListChange {
  /// The change as several changes of one element each, to be made in order.
  fileprivate var single: [ListChange] {
    if kind == .move { return [self] }
    let parts = indexes.indices.map { place in
      ListChange(
        kind, [indexes[place]], objects.indices.contains(place) ? [objects[place]] : [],
        replaced: replaced.indices.contains(place) ? [replaced[place]] : [])
    }
    return kind == .removal ? parts.reversed() : parts
  }
}
