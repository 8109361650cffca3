import TideBindings

/// A row of a kept list.
final class KeptRow: KeptPlace {
  let id: Int
  /// The order key; empty until it has one.
  var place = ""
  var value: Value
  var mark: ChangeMark?
  var isChanged = false
  var isRemoved = false
  var held: [KeptIdentity] = []
  private unowned let list: KeptList

  init(_ id: Int, _ value: Value, in list: KeptList) {
    (self.id, self.value, self.list) = (id, value, list)
  }

  func rewrite() { list.rewrite(self) }
}

/// The pending changes of a list's rows.
struct KeptRowChanges {
  /// Whether all rows are to be replaced.
  var isWhole = false
  var changed: [KeptRow] = []
  var moved: [KeptRow] = []
  var removed: [Int] = []
  var lacksPlaces = false

  var isEmpty: Bool { !isWhole && changed.isEmpty && moved.isEmpty && removed.isEmpty }

  /// Adds changes that were not written.
  mutating func restore(_ other: KeptRowChanges) {
    isWhole = isWhole || other.isWhole
    lacksPlaces = lacksPlaces || other.lacksPlaces
    for row in other.changed where !row.isChanged {
      row.isChanged = true
      changed.append(row)
    }
    moved += other.moved
    removed += other.removed
  }
}

extension KeptList {
  /// A stored row that cannot be read.
  struct Unread {
    let id: Int
    var place: String
    /// The missing class; nil for other reasons.
    let className: String?
    /// The number of readable rows before it.
    var index = 0

    init(id: Int, place: String, className: String?) {
      (self.id, self.place, self.className) = (id, place, className)
    }
  }
}
