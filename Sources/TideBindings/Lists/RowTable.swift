import CTideSlots
import TideGraph

/// The rows of a derived list: for each its source value, and what a function made of it.
///
/// A row whose function read something that can change keeps a node, a computed slot that notices
/// the change. Nodes stand in groups, and each group has a computed slot of its own that reads them
/// all, so that the list depends on few slots however long it is:
///
///     properties ──▶ node of a row ──▶ group of 128 ──▶ the list's version
///
/// Rows whose function read nothing have no node.
final class RowTable {
  typealias Row = RowOrder.Row

  let graph: Graph
  private let function: (Value) throws -> Value
  private(set) var values: [Value] = []
  private(set) var results: [Value] = []
  private var nodes: [Slot?] = []
  private var free: [Row] = []
  private var groups: [Group?] = []
  /// Groups that nothing depends on yet.
  private var newGroups: [Int] = []
  private var alteredGroups: Set<Int> = []
  private var isChanged: [Bool] = []
  /// Rows whose results have changed since they were last taken.
  private var changedRows: [Row] = []
  /// A computed slot that waits for a function which reads something, and its body.
  private var spare: (slot: Slot, body: RowBody)?

  private static let groupSize = 128

  init(_ graph: Graph, _ function: @escaping (Value) throws -> Value) {
    self.graph = graph
    self.function = function
  }

  deinit {
    for slot in nodes { release(slot) }
    for group in groups {
      release(group?.slot)
      release(group?.members)
    }
    release(spare?.slot)
  }

  // MARK: Rows

  /// Makes a row for a value and calls the function on it.
  func make(_ value: Value) -> Row {
    let row: Row
    if let last = free.popLast() {
      row = last
      values[Int(row)] = value
      results[Int(row)] = .null
    } else {
      row = Row(values.count)
      values.append(value)
      results.append(.null)
      nodes.append(nil)
      isChanged.append(false)
    }
    compute(row)
    return row
  }

  func dispose(_ row: Row) {
    values[Int(row)] = .null
    results[Int(row)] = .null
    isChanged[Int(row)] = false
    if let node = nodes[Int(row)] {
      nodes[Int(row)] = nil
      noteMembers(ofGroup: Int(row) / Self.groupSize)
      graph.dispose(node)
    }
    free.append(row)
  }

  /// Records that what is being evaluated depends on all rows, and lets changed ones evaluate.
  func track() {
    newGroups = []
    for case let group? in groups { track(group) }
  }

  /// The same for what has come since. Groups that rows have joined or left read their nodes here
  /// and now: the list is being evaluated, and would not hear of it later.
  func trackNew() {
    for index in alteredGroups { if let group = groups[index] { refresh(group.slot) } }
    alteredGroups = []
    for index in newGroups { if let group = groups[index] { track(group) } }
    newGroups = []
  }

  private func track(_ group: Group) {
    refresh(group.slot)
    graph.track(group.slot)
  }

  /// The rows whose results have changed since the last time.
  func takeChanged() -> [Row] {
    if changedRows.isEmpty { return [] }
    var rows: [Row] = []
    swap(&rows, &changedRows)
    rows = rows.filter { isChanged[Int($0)] }
    for row in rows { isChanged[Int(row)] = false }
    return rows
  }

  // MARK: Nodes

  private func compute(_ row: Row) {
    let (slot, body) = spare ?? makeNode()
    spare = nil
    body.row = row
    // Says that it is stale.
    graph.derive(slot, by: body)
    refresh(slot)
    if graph.dependencies(of: slot).isEmpty {
      spare = (slot, body)
    } else {
      nodes[Int(row)] = slot
      join(row)
    }
  }

  private func makeNode() -> (Slot, RowBody) {
    let body = RowBody(self)
    return (graph.makeComputed(body), body)
  }

  private func join(_ row: Row) {
    let index = Int(row) / Self.groupSize
    while groups.count <= index { groups.append(nil) }
    if groups[index] != nil {
      noteMembers(ofGroup: index)
    } else {
      let members = graph.makeSource(.integer(0))
      let slot = graph.makeComputed(GroupBody(self, index, members))
      groups[index] = Group(slot: slot, members: members)
      newGroups.append(index)
    }
  }

  private func noteMembers(ofGroup index: Int) {
    guard let members = groups[index]?.members, alteredGroups.insert(index).inserted else { return }
    graph.write(members, .integer(Int.load(members) &+ 1))
  }

  private func refresh(_ slot: Slot) {
    do {
      try graph.refresh(slot)
    } catch {
      BindingTable.of(graph).list(error)
    }
  }

  /// Evaluates a row's function anew; true when the result differs.
  fileprivate func evaluate(_ row: Row, in slot: Slot) throws -> Bool {
    let result = try function(values[Int(row)])
    let differs = results[Int(row)] != result
    results[Int(row)] = result
    if nodes[Int(row)] == slot, differs, !isChanged[Int(row)] {
      isChanged[Int(row)] = true
      changedRows.append(row)
    }
    return differs
  }

  /// Reads all nodes of a group.
  fileprivate func readGroup(_ index: Int) {
    let start = index * Self.groupSize
    for row in start..<min(start + Self.groupSize, nodes.count) {
      guard let node = nodes[row] else { continue }
      refresh(node)
      graph.track(node)
    }
  }

  private func release(_ slot: Slot?) {
    guard let slot else { return }
    if tide_arena_of(slot) == tide_arena_current() {
      graph.dispose(slot)
    } else {
      tide_arena_free_foreign(slot)
    }
  }

  private struct Group {
    let slot: Slot
    /// Grows when a row joins or leaves, so that the group reads its nodes anew.
    let members: Slot
  }

  private final class RowBody: ComputedBody {
    private weak var table: RowTable?
    var row: Row = 0

    init(_ table: RowTable) { self.table = table }

    override func evaluate(_ slot: Slot) throws -> Bool {
      try table?.evaluate(row, in: slot) ?? false
    }
  }

  private final class GroupBody: ComputedBody {
    private weak var table: RowTable?
    private let index: Int
    private let members: Slot

    init(_ table: RowTable, _ index: Int, _ members: Slot) {
      self.table = table
      self.index = index
      self.members = members
    }

    override func evaluate(_ slot: Slot) throws -> Bool {
      guard let table else { return false }
      table.graph.track(members)
      table.readGroup(index)
      return !table.changedRows.isEmpty
    }
  }
}
