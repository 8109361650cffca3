import TideGraph

/// Follows a list and keeps its elements in groups by a key.
///
///     source   a1 b1 a2 c1 b2          (a, b, c are keys)
///     groups   a: a1 a2   b: b1 b2   c: c1
///
/// A row that a user is editing stays in its group until the edit is over.
///
/// It is a derived list without elements of its own: it updates the list of groups and the groups'
/// lists. An edit of the source takes two binary searches, for the row's position in its group and
/// for the group's position among the groups.
final class Grouping: DerivedList {
  /// Weak, because the list of groups and the groups' lists hold the grouping.
  weak var list: GroupedList?
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private var groups: [ContentKey: Group] = [:]
  /// The groups in the order of their first rows.
  @exclusivity(unchecked) private var arranged = ChunkedArray<Group>()
  /// The group of each row; nil for a row without a key.
  @exclusivity(unchecked) private var groupOfRow: [Group?] = []

  private final class Group {
    let key: Value
    /// The rows in the source's order.
    @exclusivity(unchecked) var rows = ChunkedArray<RowOrder.Row>()
    weak var object: ListGroup?
    weak var items: GroupedList?

    init(_ key: Value) { self.key = key }
  }

  /// A row whose key is nil belongs to no group: it is left out, and an error is listed.
  init(_ source: ValueList, by key: @escaping (Value) throws -> Value) {
    super.init(source) { value, _ in
      let result = try key(value)
      guard result.isNil else { return result }
      throw TideError(
        .badArgument,
        "a row's group is nil: \(value.typeAndPreview); give a key for every row")
    }
    rows.held = .ofRecord
  }

  // MARK: Following

  override var shortPurpose: String { "groups" }

  override func arrange() throws(WorkError) -> [Value] {
    let old = groups
    groups = [:]
    groupOfRow = []
    var all: [Group] = []
    var rowsByKey: [ContentKey: [RowOrder.Row]] = [:]
    var clock = WorkClock()
    for row in order {
      try clock.step()
      guard let key = key(of: row) else { continue }
      let group = groups[key] ?? old[key] ?? Group(key.value)
      if groups[key] == nil {
        groups[key] = group
        all.append(group)
      }
      rowsByKey[key, default: []].append(row)
      note(group, of: row)
    }
    for (key, group) in groups { group.rows = ChunkedArray(rowsByKey[key] ?? []) }
    for (key, group) in old where groups[key] == nil {
      if let items = group.items { tell(items, .remove(0..<items.storage.count)) }
    }
    arranged = ChunkedArray(all)
    try show(all)
    return []
  }

  /// Updates the lists to the current groups, by the smallest edits.
  private func show(_ all: [Group]) throws(WorkError) {
    let objects = all.map { Value.object(object(of: $0)) }
    for group in all {
      guard let items = group.items else { continue }
      let values = group.rows.map { rows.values[Int($0)] }
      for change in try ListDifference.changes(
        from: items.storage.elements(in: 0..<items.storage.count), to: values)
      {
        tell(items, .change(change))
      }
    }
    guard let list else { return }
    let shown = list.storage.elements(in: 0..<list.storage.count)
    for change in try ListDifference.changes(from: shown, to: objects) {
      tell(list, .change(change))
    }
  }

  override func added(_ row: RowOrder.Row) {
    guard let key = key(of: row) else { return }
    let value = rows.values[Int(row)]
    guard let group = groups[key] else { return addGroup(key, of: row) }
    note(group, of: row)
    let position = position(of: row, in: group)
    if position == 0 {
      rearrange(group) { group.rows.insert(row, at: 0) }
    } else {
      group.rows.insert(row, at: position)
    }
    tell(group.items, .insert([value], at: position))
  }

  override func willRemove(_ row: RowOrder.Row) {
    guard let group = takeGroup(of: row) else { return }
    if group.rows.count == 1 { return removeGroup(group) }
    let position = position(of: row, in: group)
    if position == 0 {
      rearrange(group) { group.rows.remove(at: 0) }
    } else {
      group.rows.remove(at: position)
    }
    tell(group.items, .remove(position..<position + 1))
  }

  override func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    guard let group = group(of: old), let key = key(of: new), key == ContentKey(group.key) else {
      willRemove(old)
      replace()
      added(new)
      return
    }
    _ = takeGroup(of: old)
    let position = position(of: old, in: group)
    replace()
    group.rows[position] = new
    note(group, of: new)
    tell(group.items, .replace(rows.values[Int(new)], at: position))
  }

  override func moved(_ row: RowOrder.Row, _ move: () -> Void) {
    guard let group = group(of: row) else { return move() }
    let from = position(of: row, in: group)
    var to = from
    rearrange(group) {
      group.rows.remove(at: from)
      move()
      to = position(of: row, in: group)
      group.rows.insert(row, at: to)
    }
    if from != to { tell(group.items, .move(from: from, to: to)) }
  }

  override func changed(_ rows: [RowOrder.Row]) {
    for row in rows {
      if let group = group(of: row), let key = key(of: row), key == ContentKey(group.key) {
        continue
      }
      willRemove(row)
      added(row)
    }
  }

  // MARK: Groups

  private func addGroup(_ key: ContentKey, of row: RowOrder.Row) {
    let group = Group(key.value)
    groups[key] = group
    note(group, of: row)
    group.rows.insert(row, at: 0)
    let object = object(of: group)
    tell(group.items, .insert([rows.values[Int(row)]], at: 0))
    let position = position(of: group)
    arranged.insert(group, at: position)
    tell(list, .insert([.object(object)], at: position))
  }

  private func removeGroup(_ group: Group) {
    let position = position(of: group)
    arranged.remove(at: position)
    groups[ContentKey(group.key)] = nil
    group.rows = ChunkedArray()
    tell(group.items, .remove(0..<1))
    tell(list, .remove(position..<position + 1))
  }

  /// Changes a group's rows, and moves the group if another row is its first one afterwards.
  private func rearrange(_ group: Group, _ change: () -> Void) {
    let from = position(of: group)
    arranged.remove(at: from)
    change()
    let to = position(of: group)
    arranged.insert(group, at: to)
    if from != to { tell(list, .move(from: from, to: to)) }
  }

  /// The object that represents a group. The caller must store the object.
  private func object(of group: Group) -> ListGroup {
    if let object = group.object { return object }
    let items = GroupedList(partOf: self)
    let object = ListGroup(key: group.key, items: items)
    group.items = items
    group.object = object
    return object
  }

  private func tell(_ list: GroupedList?, _ edit: Edit) {
    list?.emit(edit)
    markChanged()
  }

  // MARK: Positions

  private func key(of row: RowOrder.Row) -> ContentKey? {
    let result = rows.results[Int(row)]
    return result.isNil ? nil : ContentKey(result)
  }

  private func note(_ group: Group, of row: RowOrder.Row) {
    while groupOfRow.count <= Int(row) { groupOfRow.append(nil) }
    groupOfRow[Int(row)] = group
  }

  private func group(of row: RowOrder.Row) -> Group? {
    Int(row) < groupOfRow.count ? groupOfRow[Int(row)] : nil
  }

  private func takeGroup(of row: RowOrder.Row) -> Group? {
    guard let group = group(of: row) else { return nil }
    groupOfRow[Int(row)] = nil
    return group
  }

  /// The position of a row in a group, or the position at which it belongs.
  private func position(of row: RowOrder.Row, in group: Group) -> Int {
    let position = order.position(of: row)
    return partition(group.rows.count) { order.position(of: group.rows[$0]) < position }
  }

  /// The position of a group among the groups by its first row, or the position at which it
  /// belongs.
  private func position(of group: Group) -> Int {
    let position = order.position(of: group.rows[0])
    return partition(arranged.count) { order.position(of: arranged[$0].rows[0]) < position }
  }

  /// Binary search: the first index for which a condition no longer holds.
  private func partition(_ count: Int, _ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
