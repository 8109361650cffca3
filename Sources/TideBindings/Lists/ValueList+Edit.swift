import TideGraph
package import TideValues

extension ValueList {
  /// One edit of a list's contents. Its positions have been checked and count from 0.
  package enum Edit {
    case insert([Value], at: Int)
    case remove(Range<Int>)
    case replace(Value, at: Int)
    case move(from: Int, to: Int)
    /// Any change, in the form that is reported.
    case change(ListChange)
  }
}

extension ValueList.Edit {
  package var kind: ListChange.Kind {
    switch self {
    case .insert: .insertion
    case .remove: .removal
    case .replace: .replacement
    case .move: .move
    case .change(let change): change.kind
    }
  }

  /// The change that is reported to observers.
  func change(replacing old: [Value]) -> ListChange {
    switch self {
    case .insert(let values, let position):
      ListChange(.insertion, Array(position..<position + values.count), values)
    case .remove(let range):
      ListChange(.removal, Array(range), old)
    case .replace(let value, let position):
      ListChange(.replacement, [position], [value], replaced: old)
    case .move(let from, let to):
      ListChange(.move, [from, to], old)
    case .change(let change):
      change
    }
  }
}

extension ValueList.Edit {
  /// The inverse edit, given the elements that this one removed, replaced or moved; nil for an edit
  /// that changed nothing.
  package func undoing(_ old: [Value]) -> Self? {
    switch self {
    case .insert(let values, let position):
      values.isEmpty ? nil : .remove(position..<position + values.count)
    case .remove(let range): old.isEmpty ? nil : .insert(old, at: range.lowerBound)
    case .replace(_, let position): old.first.map { .replace($0, at: position) }
    case .move(let from, let to): .move(from: to, to: from)
    case .change(let change): .change(change.undoing)
    }
  }

  /// The elements that it adds to the list.
  package var added: [Value] {
    switch self {
    case .insert(let values, _): values
    case .replace(let value, _): [value]
    case .remove, .move: []
    case .change(let change):
      change.kind == .insertion || change.kind == .replacement ? change.objects : []
    }
  }

  /// The elements that it removes, given what it removed, replaced or moved.
  package func removed(_ old: [Value]) -> [Value] {
    switch self {
    case .insert, .move: []
    case .remove, .replace: old
    case .change(let change):
      switch change.kind {
      case .removal: change.objects
      case .replacement: change.replaced
      case .insertion, .move: []
      }
    }
  }

  /// The size in bytes of the pending edit.
  package var weight: Int {
    switch self {
    case .insert(let values, _): Self.emptyWeight + values.reduce(0) { $0 + $1.heldBytes }
    case .replace(let value, _): Self.emptyWeight + value.heldBytes
    case .remove, .move: Self.emptyWeight
    case .change(let change):
      Self.emptyWeight + change.indexes.count * MemoryLayout<Int>.stride
        + (change.objects + change.replaced).reduce(0) { $0 + $1.heldBytes }
    }
  }

  private static var emptyWeight: Int { 96 }
}

extension ListChange {
  fileprivate var undoing: ListChange {
    switch kind {
    case .insertion: ListChange(.removal, indexes, objects)
    case .removal: ListChange(.insertion, indexes, objects)
    case .replacement: ListChange(.replacement, indexes, replaced, replaced: objects)
    case .move: ListChange(.move, indexes.reversed(), objects)
    }
  }
}

extension Value {
  /// The size in bytes of the value in a list, with its text.
  var heldBytes: Int {
    switch self {
    case .string(let text): MemoryLayout<Value>.stride + text.utf8.count
    case .bytes(let bytes): MemoryLayout<Value>.stride + bytes.count
    default: MemoryLayout<Value>.stride
    }
  }
}

extension ChunkedArray<Value> {
  /// Applies an edit. Returns the elements that were removed, replaced or moved; none for `change`.
  mutating func apply(_ edit: ValueList.Edit) -> [Value] {
    switch edit {
    case .insert(let values, let position):
      insert(contentsOf: values, at: position)
      return []
    case .remove(let range):
      return removeSubrange(range)
    case .replace(let value, let position):
      let old = self[position]
      self[position] = value
      return [old]
    case .move(let from, let to):
      let element = remove(at: from).element
      insert(element, at: to)
      return [element]
    case .change(let change):
      apply(change)
      return []
    }
  }

  private mutating func apply(_ change: ListChange) {
    switch change.kind {
    case .insertion:
      if change.isOneRun {
        insert(contentsOf: change.objects, at: change.indexes[0])
      } else if isWorthMerging(change.indexes.count) {
        merge(change)
      } else {
        for (index, object) in zip(change.indexes, change.objects) { insert(object, at: index) }
      }
    case .removal:
      if change.isOneRun, let first = change.indexes.first, let last = change.indexes.last {
        _ = removeSubrange(first..<last + 1)
      } else if isWorthMerging(change.indexes.count) {
        removeScattered(change)
      } else {
        for index in change.indexes.reversed() { remove(at: index) }
      }
    case .replacement:
      for (index, object) in zip(change.indexes, change.objects) { self[index] = object }
    case .move:
      insert(remove(at: change.indexes[0]).element, at: change.indexes[1])
    }
  }

  /// Whether rebuilding the whole array is cheaper than that many single edits.
  private func isWorthMerging(_ changeCount: Int) -> Bool {
    changeCount >= 64 && changeCount >= count / 64
  }

  /// Inserts elements at several positions, which are ascending and count in the result.
  private mutating func merge(_ change: ListChange) {
    let before = elements(in: 0..<count)
    var merged: [Value] = []
    merged.reserveCapacity(before.count + change.objects.count)
    var next = 0
    for (index, object) in zip(change.indexes, change.objects) {
      let gap = index - merged.count
      merged += before[next..<next + gap]
      next += gap
      merged.append(object)
    }
    replaceAll(merged + before[next...])
  }

  /// Removes elements at several positions, which are ascending.
  private mutating func removeScattered(_ change: ListChange) {
    let before = elements(in: 0..<count)
    var rest: [Value] = []
    rest.reserveCapacity(before.count - change.indexes.count)
    var next = 0
    for index in change.indexes {
      rest += before[next..<index]
      next = index + 1
    }
    replaceAll(rest + before[next...])
  }

  private mutating func insert(contentsOf values: [Value], at position: Int) {
    if !isWorthMerging(values.count) {
      for (offset, value) in values.enumerated() { insert(value, at: position + offset) }
    } else {
      replaceAll(elements(in: 0..<position) + values + elements(in: position..<count))
    }
  }

  private mutating func removeSubrange(_ range: Range<Int>) -> [Value] {
    if range.count == 1 { return [remove(at: range.lowerBound).element] }
    let removed = elements(in: range)
    if !isWorthMerging(range.count) {
      for index in range.reversed() { remove(at: index) }
    } else {
      replaceAll(elements(in: 0..<range.lowerBound) + elements(in: range.upperBound..<count))
    }
    return removed
  }
}

extension ListChange {
  fileprivate var isOneRun: Bool {
    guard let first = indexes.first, let last = indexes.last else { return false }
    return last - first == indexes.count - 1
  }
}
