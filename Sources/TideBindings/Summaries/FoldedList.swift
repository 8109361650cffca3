/// What `@sum`, `@min` and the like have in common: each row counts towards one result.
class FoldedList: ElementList {
  /// For subclasses: begins again, without rows.
  func reset() {}

  /// For subclasses: takes in what a row holds, in place of what it held before.
  func put(_ row: RowOrder.Row) {}

  /// For subclasses: takes out what a row held.
  func takeOut(_ row: RowOrder.Row) {}

  final override func arrange() -> [Value] {
    forgetAll()
    reset()
    for row in order { put(row) }
    markChanged()
    return []
  }

  final override func added(_ row: RowOrder.Row) {
    put(row)
    markChanged()
  }

  final override func willRemove(_ row: RowOrder.Row) {
    forget(row)
    takeOut(row)
    markChanged()
  }

  final override func changed(_ rows: [RowOrder.Row]) {
    for row in rows { put(row) }
    markChanged()
  }
}
