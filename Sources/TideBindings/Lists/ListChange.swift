public import TideGraph

/// One edit of a list, as its observers are told of it.
///
/// ```swift
/// context.observe(names) { change in print(change.kind, change.indexes, change.objects) }
/// try names.append("fig")   // insertion [0] ["fig"]
/// ```
///
/// Indexes count from 0, as those of `ObservableList` and of arrays do, and ascend: those of an
/// insertion are where the objects are afterwards, those of a removal where they were before. A
/// move's are where the object was and where it is. Scripts see them from 1.
public struct ListChange: Equatable {
  /// What was done to the list.
  public enum Kind: String, Sendable, CaseIterable {
    /// Objects were put in.
    case insertion
    /// Objects were taken out.
    case removal
    /// Objects were put in the places of others.
    case replacement
    /// An object was moved.
    case move
  }

  /// What was done.
  public var kind: Kind
  /// Where, from 0 and ascending; of a move the position before and the position afterwards.
  public var indexes: [Int]
  /// What was inserted, removed, put in its place, or moved.
  public var objects: [Value]
  /// What a replacement put away.
  public var replaced: [Value]

  package init(_ kind: Kind, _ indexes: [Int], _ objects: [Value], replaced: [Value] = []) {
    self.kind = kind
    self.indexes = indexes
    self.objects = objects
    self.replaced = replaced
  }
}

extension ListChange {
  /// Does to an array what was done to the list.
  ///
  /// - Throws: `outOfRange` when the array cannot be what the list was before.
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
