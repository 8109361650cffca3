import TideGraph

/// The edits of a list that its observers have not received yet, stored once for all observers.
///
///     edits     │ insert │ remove │ move │
///     positions 0        1        2      3
///               └─ two observers  └─ one
///
/// An observer has a position in the log, which moves to the end when the observer is notified. If
/// more edits are pending than are worth storing, the list's contents at each observer's position
/// are stored instead. The observers then receive the smallest edits from those contents to the
/// present ones.
final class EditLog: ListFollower {
  typealias Position = Int

  /// The changes that an observer has not received.
  enum News {
    case edits(ArraySlice<Noted>)
    case contents(before: ChunkedArray<Value>, after: ChunkedArray<Value>)
  }

  struct Noted {
    let edit: ValueList.Edit
    /// The elements that it removed, replaced or moved.
    let old: [Value]
  }

  private unowned let list: ValueList
  private var edits: [Noted] = []
  /// The position of the first stored edit.
  private var start: Position = 0
  /// The number of observers at each position.
  private var observers: [Position: Int] = [:]
  /// The list's contents at positions whose edits are no longer stored.
  private var contents: [Position: ChunkedArray<Value>] = [:]
  /// The size in bytes of the edits and the contents, and how much of it has been charged.
  private(set) var weight = 0
  private var charged = 0

  init(_ list: ValueList) { self.list = list }

  private var end: Position { start + edits.count }

  // MARK: Observers

  func join() -> Position {
    observers[end, default: 0] += 1
    return end
  }

  func leave(from position: Position) {
    guard let count = observers[position] else { return }
    observers[position] = count > 1 ? count - 1 : nil
    if count == 1 { forget(position) }
  }

  /// The changes since a position, which moves to the end.
  func news(from position: inout Position) -> News {
    let from = position
    if from == end { return .edits([]) }
    let news =
      contents[from].map { News.contents(before: $0, after: list.storage) }
      ?? .edits(edits[(from - start)...])
    position = end
    observers[end, default: 0] += 1
    leave(from: from)
    return news
  }

  /// Drops what only the observers of a position needed.
  private func forget(_ position: Position) {
    contents[position] = nil
    if observers.keys.contains(where: { $0 >= start && $0 < end }) { return }
    start = end
    edits = []
    weight = contents.values.reduce(0) { $0 + Self.weight(of: $1) }
    charged = min(charged, weight)
  }

  // MARK: Edits

  func list(_ list: ValueList, did edit: ValueList.Edit, to old: [Value]) {
    if observers.isEmpty || edits.isEmpty && observers[end] == nil { return }
    edits.append(Noted(edit: edit, old: old))
    weight += edit.weight + Self.weight(of: old)
    if weight > Self.mostWeight + 4 * Self.weight(of: list.storage) || !hasRoom() { compact() }
  }

  /// The size in bytes of pending edits that are not charged.
  private static let uncharged = 64 << 10
  /// The size in bytes up to which edits are stored. The edits of an ordinary batch, of some ten
  /// thousand elements, are reported one by one.
  private static let mostWeight = 4 << 20

  private func hasRoom() -> Bool {
    if weight < charged + Self.uncharged { return true }
    let growth = weight - charged
    charged = weight
    do { try BindingTable.of(list.graph).hooks.noteMemory?(growth) } catch { return false }
    return true
  }

  /// Stores the list's contents at each position with observers, in place of the edits.
  private func compact() {
    var held = list.storage
    let last = end
    for position in (start..<last).reversed() {
      edits[position - start].undo(in: &held)
      if observers[position] != nil { contents[position] = held }
    }
    edits = []
    start = last
    weight = contents.values.reduce(0) { $0 + Self.weight(of: $1) }
    charged = weight
  }

  private static func weight(of contents: ChunkedArray<Value>) -> Int {
    contents.count * MemoryLayout<Value>.stride
  }

  private static func weight(of values: [Value]) -> Int {
    values.reduce(0) { $0 + $1.heldBytes }
  }
}

extension EditLog.News {
  /// Calls a function with each change of some kinds.
  func visit(_ kinds: Set<ListChange.Kind>, _ body: (ListChange) throws -> Void) rethrows {
    switch self {
    case .edits(let edits):
      for noted in edits where kinds.contains(noted.edit.kind) {
        try body(noted.edit.change(replacing: noted.old))
      }
    case .contents:
      for change in changes(kinds) { try body(change) }
    }
  }

  func changes(_ kinds: Set<ListChange.Kind>) -> [ListChange] {
    switch self {
    case .edits(let edits):
      return edits.compactMap {
        kinds.contains($0.edit.kind) ? $0.edit.change(replacing: $0.old) : nil
      }
    case .contents(let before, let after):
      return Self.changes(from: before.all, to: after.all).filter { kinds.contains($0.kind) }
    }
  }

  private static func changes(from old: [Value], to new: [Value]) -> [ListChange] {
    if let changes = try? ListDifference.changes(from: old, to: new) { return changes }
    // There is no time or memory left to compare, but followers must stay consistent with the list.
    var changes: [ListChange] = []
    if !old.isEmpty { changes.append(ListChange(.removal, Array(old.indices), old)) }
    if !new.isEmpty { changes.append(ListChange(.insertion, Array(new.indices), new)) }
    return changes
  }
}

extension EditLog.Noted {
  fileprivate func undo(in contents: inout ChunkedArray<Value>) {
    if let edit = edit.undoing(old) { _ = contents.apply(edit) }
  }
}

extension ChunkedArray {
  fileprivate var all: [Element] { elements(in: 0..<count) }
}

/// The pending edits of a list that follows others. They are stored while following them is less
/// work than a rebuild.
struct WaitingEdits<Edit> {
  private(set) var edits: [Edit] = []
  private var weight = 0

  var isEmpty: Bool { edits.isEmpty }

  /// Adds an edit. Returns false, with all edits dropped, if too many are pending for a list of
  /// `count` elements: a list that is never read must not collect edits without end.
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
    // The common case of one edit at a time needs no allocation.
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
