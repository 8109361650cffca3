public import TideGraph

/// One edit of a list, as it is reported to observers.
///
/// ```swift
/// context.observe(names) { change in print(change.kind, change.indexes, change.objects) }
/// try names.append("fig")   // insertion [0] ["fig"]
/// ```
///
/// Indexes count from 0, as in `ObservableList` and in arrays, and ascend. Those of an insertion
/// are the positions afterwards, those of a removal the positions before. A move has the object's
/// position before and its position afterwards. In scripts they count from 1.
public struct ListChange: Equatable {
  /// What was done to the list.
  public enum Kind: String, Sendable, CaseIterable {
    /// Objects were inserted.
    case insertion
    /// Objects were removed.
    case removal
    /// Objects were replaced by others.
    case replacement
    /// An object was moved.
    case move
  }

  /// The kind of the edit.
  public var kind: Kind
  /// The positions, from 0 and ascending. For a move: the position before and the position
  /// afterwards.
  public var indexes: [Int]
  /// The objects that were inserted, removed or moved, or that have replaced others.
  public var objects: [Value]
  /// The objects that a replacement has removed.
  public var replaced: [Value]

  package init(_ kind: Kind, _ indexes: [Int], _ objects: [Value], replaced: [Value] = []) {
    self.kind = kind
    self.indexes = indexes
    self.objects = objects
    self.replaced = replaced
  }
}

extension ListChange {
  /// Applies the change to an array.
  ///
  /// - Throws: `outOfRange` if the change does not fit the array.
  public func apply(to values: inout [Value]) throws(TideError) {
    let limit = kind == .insertion ? values.count + indexes.count : values.count
    guard indexes.allSatisfy({ $0 >= 0 && $0 < limit }),
      kind == .move ? indexes.count == 2 : indexes.count == objects.count,
      kind == .move || zip(indexes, indexes.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw TideError(.outOfRange, "a change at \(indexes) of a list of \(values.count)")
    }
    switch kind {
    case .insertion:
      for (index, object) in zip(indexes, objects) { values.insert(object, at: index) }
    case .removal: for index in indexes.reversed() { values.remove(at: index) }
    case .replacement: for (index, object) in zip(indexes, objects) { values[index] = object }
    case .move: values.insert(values.remove(at: indexes[0]), at: indexes[1])
    }
  }
}
