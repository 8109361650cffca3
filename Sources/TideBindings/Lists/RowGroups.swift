import CTideSlots
import TideGraph

/// The nodes of rows, in two levels of groups, so that a list of a million rows depends on few
/// slots:
///
///     properties ──▶ node of a row ──▶ group of 64 rows ──▶ group of 4096 ──▶ the list's version
///
/// A group is a computed slot that reads all its members. When a member joins or leaves, the group
/// is made stale, so that it reads its members again.
final class RowGroups {
  private let graph: Graph
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  /// By row; nil if the row's function has read nothing.
  @exclusivity(unchecked) private var nodes: [Slot?] = []
  @exclusivity(unchecked) private var groups: [Group?] = []
  @exclusivity(unchecked) private var tops: [Group?] = []
  @exclusivity(unchecked) private var alteredGroups: Set<Int> = []
  @exclusivity(unchecked) private var alteredTops: Set<Int> = []
  /// Top groups that nothing depends on yet.
  @exclusivity(unchecked) private var newTops: [Int] = []

  private static let size = 64

  init(_ graph: Graph) { self.graph = graph }

  deinit {
    for case let slot? in nodes { graph.release(slot) }
    for case let group? in groups + tops { graph.release(group.slot) }
  }

  func node(of row: RowOrder.Row) -> Slot? {
    Int(row) < nodes.count ? nodes[Int(row)] : nil
  }

  func holds(_ slot: Slot, for row: RowOrder.Row) -> Bool { node(of: row) == slot }

  func add(_ node: Slot, for row: RowOrder.Row) {
    while nodes.count <= Int(row) { nodes.append(nil) }
    nodes[Int(row)] = node
    let index = Int(row) / Self.size
    while groups.count <= index { groups.append(nil) }
    if groups[index] != nil {
      alteredGroups.insert(index)
      return
    }
    groups[index] = makeGroup { [weak self] in self?.readNodes(ofGroup: index) }
    let top = index / Self.size
    while tops.count <= top { tops.append(nil) }
    if tops[top] != nil {
      alteredTops.insert(top)
      return
    }
    tops[top] = makeGroup { [weak self] in self?.readGroups(ofTop: top) }
    newTops.append(top)
  }

  func remove(_ row: RowOrder.Row) {
    guard Int(row) < nodes.count, let node = nodes[Int(row)] else { return }
    nodes[Int(row)] = nil
    alteredGroups.insert(Int(row) / Self.size)
    graph.dispose(node)
  }

  // MARK: Tracking

  /// Makes the slot that is being evaluated depend on all nodes, and evaluates changed ones.
  func track() {
    if tops.isEmpty { return }
    newTops = []
    for case let top? in tops {
      graph.readListing(top.slot)
    }
  }

  /// Like `track`, for nodes that were added since. Groups with new or lost members read their
  /// members here: the list is being evaluated, and would not be notified later.
  func trackNew() {
    if alteredGroups.isEmpty && alteredTops.isEmpty && newTops.isEmpty { return }
    for index in alteredGroups {
      groups[index]?.readAnew(in: graph)
      // Its parent group is stale now, and would stop the propagation of the next change.
      alteredTops.insert(index / Self.size)
    }
    alteredGroups = []
    for index in alteredTops { tops[index]?.readAnew(in: graph) }
    alteredTops = []
    for index in newTops { if let top = tops[index] { graph.readListing(top.slot) } }
    newTops = []
  }

  private func readNodes(ofGroup index: Int) {
    let start = index * Self.size
    for case let node? in nodes[start..<min(start + Self.size, nodes.count)] {
      graph.readListing(node)
    }
  }

  private func readGroups(ofTop index: Int) {
    let start = index * Self.size
    for case let group? in groups[start..<min(start + Self.size, groups.count)] {
      graph.readListing(group.slot)
    }
  }

  // MARK: Groups

  private struct Group {
    let slot: Slot
    let body: GroupBody

    func readAnew(in graph: Graph) {
      // Marks the slot as stale.
      graph.derive(slot, by: body)
      graph.refreshListing(slot)
    }
  }

  private func makeGroup(_ readMembers: @escaping () -> Void) -> Group {
    let body = GroupBody(readMembers)
    return Group(slot: graph.makeComputed(body), body: body)
  }

  private final class GroupBody: ComputedBody {
    private let readMembers: () -> Void

    init(_ readMembers: @escaping () -> Void) { self.readMembers = readMembers }

    /// Evaluated because a member has changed, joined or left.
    override func evaluate(_ slot: Slot) throws -> Bool {
      readMembers()
      return Int.store(Int.load(slot) &+ 1, in: slot)
    }
  }
}

extension Graph {
  /// Refreshes a slot, unless it is blocked. An error of its body is listed once, for as long as it
  /// fails.
  func refreshListing(_ slot: Slot) {
    do {
      try refresh(slot)
    } catch is BlockedError {
      // The slot is evaluated again when the value that it waits for has arrived.
    } catch {
      BindingTable.of(self).graph(self, body: slot, failed: error)
    }
  }

  /// Like `refreshListing`, and records the read.
  @inline(__always)
  func readListing(_ slot: Slot) {
    refreshListing(slot)
    trackAsItIs(slot)
  }

  /// Disposes of a slot. Callable on any thread.
  func release(_ slot: Slot) {
    if tide_arena_is_here(tide_arena_of(slot)) {
      dispose(slot)
    } else {
      tide_arena_free_remote_node(slot)
    }
  }
}
