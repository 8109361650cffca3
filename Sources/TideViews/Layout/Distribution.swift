/// Shares the cells of a row or column among the views in it.
///
/// Each begins with its basis, a fixed or natural size. What is left over goes to those that grow,
/// in proportion to their weights, up to their maximum. What is missing is taken from those that
/// grow, then in a row from those of natural size in proportion, and at last from the end: the
/// sizes never add up to more than there is.
struct Distribution {
  struct Item {
    var basis: Int
    var minimum = 0
    var maximum = Int.max
    var grow = 0.0
    /// Gives way before others are cut off: it grows, or is not of a fixed size.
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
        // Rounding the running sum, not each part, leaves no cell over.
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

  /// Takes up to `missing` cells from those that qualify, in proportion to what they can give.
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
