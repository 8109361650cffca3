/// The edits that a list which follows others has yet to follow, as long as following them is less
/// work than arranging everything anew.
struct WaitingEdits<Edit> {
  private(set) var edits: [Edit] = []
  private var weight = 0

  var isEmpty: Bool { edits.isEmpty }

  /// False, with none kept any more, where too many would wait for a list of so many elements: one
  /// that nobody reads does not gather edits without end.
  mutating func add(_ edit: Edit, weight added: Int, among count: Int) -> Bool {
    weight += added
    if edits.count > 1000 + count || weight > 1 << 20 + 64 * count {
      clear()
      return false
    }
    edits.append(edit)
    return true
  }

  mutating func clear() {
    // An edit at a time, which is the rule, takes no allocation.
    edits.removeAll(keepingCapacity: edits.count < 16)
    weight = 0
  }

  mutating func take() -> [Edit] {
    let taken = edits
    edits = []
    weight = 0
    return taken
  }
}
