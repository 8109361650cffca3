import TideBindings

/// A row of a list that is kept.
final class KeptRow: KeptPlace {
  let id: Int
  /// Empty as long as it has none.
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

/// What is to be written of the rows of a list.
struct KeptRowChanges {
  /// Everything, in place of what there is.
  var isWhole = false
  var changed: [KeptRow] = []
  var moved: [KeptRow] = []
  var removed: [Int] = []
  var lacksPlaces = false

  var isEmpty: Bool { !isWhole && changed.isEmpty && moved.isEmpty && removed.isEmpty }

  /// Adds what was to be written before, and was not.
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
  /// A row of the database that cannot be read.
  struct Unread {
    let id: Int
    var place: String
    /// The class that is missing; nil where something else is wrong.
    let className: String?
    /// How many of the rows that are read stand before it.
    var index = 0

    init(id: Int, place: String, className: String?) {
      (self.id, self.place, self.className) = (id, place, className)
    }
  }
}
