import TideGraph

/// Tells of each setting that has changed inside: of lists, dicts and objects.
///
/// A slot for each of them follows all that is in its value. Above these slots stands a tree of
/// others:
///
///     root ─┬─ group ─┬─ group ─┬─ "recent"
///           │         │         └─ "windows"
///           …         …
///
/// Whoever depends on the root depends on all of them, and neither to add one nor to find the one
/// that has changed takes longer the more there are.
final class SettingsWatches {
  private static let width = 32

  private struct Node<Body: ComputedBody> {
    let slot: Slot
    let body: Body
  }

  private let graph: Graph
  private let noteChange: (DictionaryKey) -> Void
  private var leaves: [Node<WatchedSetting>] = []
  private var groups: [[Node<WatchGroup>]] = []
  private let top: Node<WatchGroup>
  private var indexes: [DictionaryKey: Int] = [:]
  /// Leaves that follow nothing.
  private var spare: [Int] = []

  /// - Parameter noteChange: told the key of each setting that has changed, as soon as that is
  ///   seen.
  init(_ graph: Graph, noteChange: @escaping (DictionaryKey) -> Void) {
    self.graph = graph
    self.noteChange = noteChange
    let body = WatchGroup()
    top = Node(slot: graph.makeComputed(body), body: body)
  }

  deinit {
    for leaf in leaves { graph.release(leaf.slot) }
    for group in groups.joined() { graph.release(group.slot) }
    graph.release(top.slot)
  }

  /// Changes whenever one of the settings does.
  var root: Slot { top.slot }

  /// Runs a function, and follows from now on what it reads.
  func follow(_ key: DictionaryKey, by read: @escaping () -> Void) {
    if let index = indexes[key] ?? spare.popLast() {
      indexes[key] = index
      record(leaves[index], key, read)
      return
    }
    indexes[key] = leaves.count
    let body = WatchedSetting(noteChange)
    let leaf = Node(slot: graph.makeComputed(body), body: body)
    record(leaf, key, read)
    leaves.append(leaf)
    join(count: leaves.count, at: 0)
  }

  /// Follows a setting no longer.
  func forget(_ key: DictionaryKey) {
    guard let index = indexes.removeValue(forKey: key) else { return }
    record(leaves[index], nil) {}
    spare.append(index)
  }

  private func record(
    _ leaf: Node<WatchedSetting>, _ key: DictionaryKey?, _ read: @escaping () -> Void
  ) {
    leaf.body.key = key
    leaf.body.read = read
    defer { leaf.body.read = nil }
    graph.derive(leaf.slot, by: leaf.body)
    graph.refreshListing(leaf.slot)
  }

  // MARK: The tree

  /// The last one of a level is new: what is above it follows it as well.
  private func join(count: Int, at level: Int) {
    if level < groups.count {
      let parent = (count - 1) / Self.width
      if parent == groups[level].count { return addGroup(at: level) }
      return record(groups[level][parent], of: slots(at: level, parent * Self.width..<count))
    }
    if count <= Self.width { return record(top, of: slots(at: level, 0..<count)) }
    groups.append([])
    for _ in 0...(count - 1) / Self.width { addGroup(at: level) }
  }

  private func addGroup(at level: Int) {
    let body = WatchGroup()
    let group = Node(slot: graph.makeComputed(body), body: body)
    let first = groups[level].count * Self.width
    let end = min(first + Self.width, level == 0 ? leaves.count : groups[level - 1].count)
    record(group, of: slots(at: level, first..<end))
    groups[level].append(group)
    join(count: groups[level].count, at: level + 1)
  }

  private func record(_ group: Node<WatchGroup>, of sources: [Slot]) {
    group.body.sources = sources
    defer { group.body.sources = nil }
    graph.derive(group.slot, by: group.body)
    graph.refreshListing(group.slot)
  }

  /// Slots that groups of a level, or the root, follow.
  private func slots(at level: Int, _ range: Range<Int>) -> [Slot] {
    level == 0 ? leaves[range].map(\.slot) : groups[level - 1][range].map(\.slot)
  }
}

/// Has changed whenever something has that was read when it was recorded.
private class Watch: ComputedBody {
  private var changes = 0

  /// Reads all that is to be followed, while that is recorded; false otherwise.
  func record(in graph: Graph) -> Bool { false }
  func changed() {}

  final override func evaluate(_ slot: Slot) throws -> Bool {
    if record(in: Graph.of(slot)) { return false }
    Graph.of(slot).keepReads()
    changed()
    changes &+= 1
    return slot.store(.integer(changes))
  }
}

private final class WatchedSetting: Watch {
  private let noteChange: (DictionaryKey) -> Void
  var key: DictionaryKey?
  var read: (() -> Void)?

  init(_ noteChange: @escaping (DictionaryKey) -> Void) { self.noteChange = noteChange }

  // Spelled out, because the compiler warns of the one that it would make.
  @available(*, unavailable)
  override init() { preconditionFailure("a setting's watch has somebody to tell") }

  override func record(in graph: Graph) -> Bool {
    read?()
    return read != nil
  }

  override func changed() { if let key { noteChange(key) } }
}

private final class WatchGroup: Watch {
  var sources: [Slot]?

  override func record(in graph: Graph) -> Bool {
    for source in sources ?? [] { graph.readListing(source) }
    return sources != nil
  }
}
