import TideGraph

/// Reports each setting whose contents have changed: those of lists, dicts and objects.
///
/// Each setting has a slot that follows everything in its value. These slots are the leaves of a
/// tree of slots:
///
///     root ─┬─ group ─┬─ group ─┬─ "recent"
///           │         │         └─ "windows"
///           …         …
///
/// A dependent of the root depends on all settings. Adding a setting and finding a changed one take
/// time logarithmic in their number.
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

  /// - Parameter noteChange: called with the key of each setting that has changed, as soon as the
  ///   change is seen.
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

  /// Runs a function for a setting, and follows what the function reads.
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

  /// Stops following a setting.
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

  /// Called when the last node of a level is new, so that its parent follows it as well.
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

  /// The slots that a group of a level, or the root, follows.
  private func slots(at level: Int, _ range: Range<Int>) -> [Slot] {
    level == 0 ? leaves[range].map(\.slot) : groups[level - 1][range].map(\.slot)
  }
}

/// Changes whenever anything has changed that was read during the recording.
private class Watch: ComputedBody {
  private var changes = 0

  /// Reads everything that is to be followed, if this is a recording; returns false otherwise.
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

  // Written out, because the compiler warns about the synthesized one.
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
