/// Distributes the cells of a row or column among its views.
///
/// Each item starts with its basis, a fixed or natural size. Surplus cells go to the items that
/// grow, in proportion to their weights, up to their maximum. If cells are missing, growing items
/// shrink first, then the other items that may shrink, in proportion to what they can give, and
/// finally items from the end. The sizes never add up to more than the available length.
struct Distribution {
  struct Item {
    var basis: Int
    var minimum = 0
    var maximum = Int.max
    var grow = 0.0
    /// Whether the item shrinks before others are cut off: it grows, or its size is not fixed.
    var shrinks = false
    var size = 0
  }

  /// Sets every item's size.
  static func share(_ available: Int, among items: inout [Item]) {
    var total = 0
    for i in items.indices {
      items[i].size = items[i].basis
      total += items[i].basis
    }
    if total < available {
      spread(available - total, among: &items)
    } else if total > available {
      var missing = total - available
      missing -= reduce(missing, of: &items) { $0.grow > 0 && $0.shrinks }
      missing -= reduce(missing, of: &items) { $0.shrinks }
      var i = items.count - 1
      while missing > 0 && i >= 0 {
        let cut = min(missing, items[i].size)
        items[i].size -= cut
        missing -= cut
        i -= 1
      }
    }
  }

  private static func spread(_ extra: Int, among items: inout [Item]) {
    var extra = extra
    while extra > 0 {
      var weight = 0.0
      for item in items where item.grow > 0 && item.size < item.maximum { weight += item.grow }
      if weight <= 0 { return }
      var passed = 0.0
      var given = 0
      var used = 0
      for i in items.indices where items[i].grow > 0 && items[i].size < items[i].maximum {
        passed += items[i].grow
        // Rounding the running sum instead of each part leaves no cell unassigned.
        let upTo = passed >= weight ? extra : Int((Double(extra) * passed / weight).rounded())
        let share = min(upTo - given, items[i].maximum - items[i].size)
        given = upTo
        items[i].size += share
        used += share
      }
      if used == 0 { return }
      extra -= used
    }
  }

  /// Removes up to `missing` cells from the qualifying items, in proportion to what they can give.
  private static func reduce(
    _ missing: Int, of items: inout [Item], where qualifies: (Item) -> Bool
  ) -> Int {
    if missing <= 0 { return 0 }
    var room = 0
    for item in items where qualifies(item) { room += max(0, item.size - item.minimum) }
    if room == 0 { return 0 }
    let taken = min(missing, room)
    var passed = 0
    var given = 0
    for i in items.indices where qualifies(items[i]) {
      passed += max(0, items[i].size - items[i].minimum)
      let upTo = Int((Double(taken) * Double(passed) / Double(room)).rounded())
      items[i].size -= upTo - given
      given = upTo
    }
    return taken
  }
}
