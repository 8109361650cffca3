import TideBindings
import TideGraph
import TideScript

/// A list that is kept, row by row: what is written is what has changed.
///
///     edits of the list ──▶ rows: inserted, moved, removed ─┐
///     changes in a row's object ──▶ its mark ──▶ changed ───┴─ write ──▶ the database
///
/// A row has a place among the others, a text between those of its neighbours, so that an insertion
/// or a move writes one row.
final class KeptList {
  let list: ValueList
  private unowned let owner: KeptObject
  private unowned let keeper: ModelKeeper
  private let address: KeptTables.Address
  /// In the list's order.
  private var rows: [Row] = []
  private var lastID = 0
  /// What is in the database is what the list held when it was kept.
  private var isReadable = true
  private var pending = Pending()
  /// What the open transaction has written, which may come to nothing.
  private var inDoubt = Pending()
  private var observer: ListObserver?
  private var slot: Slot?

  private final class Row {
    let id: Int
    /// Empty as long as it has none.
    var place = ""
    var value: Value
    var mark: ChangeMark?
    var isChanged = false
    var isRemoved = false

    init(_ id: Int, _ value: Value) { (self.id, self.value) = (id, value) }
  }

  /// What is to be written.
  private struct Pending {
    /// Everything, in place of what there is.
    var isWhole = false
    var changed: [Row] = []
    var moved: [Row] = []
    var removed: [Int] = []
    var lacksPlaces = false

    var isEmpty: Bool { !isWhole && changed.isEmpty && moved.isEmpty && removed.isEmpty }
  }

  /// The longest place, in letters: where many rows were put between the same two, all get new
  /// ones.
  private static let longestPlace = 100
  /// Bytes that following a row takes.
  private static let rowWeight = 500

  init(
    _ list: ValueList, _ owner: KeptObject, _ keeper: ModelKeeper, _ address: KeptTables.Address
  ) {
    (self.list, self.owner, self.keeper, self.address) = (list, owner, keeper, address)
  }

  private var graph: Graph { list.graph }

  // MARK: Beginning

  /// Has the list hold what is kept of it. Rows that cannot be read, as long as their class is
  /// missing, stay in the database.
  func restore(_ stored: [KeptTables.Row], _ read: ([UInt8]) throws -> Value?) throws {
    var values: [Value] = []
    var found: [KeptTables.Row] = []
    var failure: (any Error)?
    for row in stored {
      lastID = max(lastID, row.id)
      do {
        guard let value = try read(row.bytes) else { continue }
        values.append(value)
        found.append(row)
      } catch {
        if (error as? TideError)?.code != .settings { throw error }
        failure = failure ?? error
      }
    }
    try list.set(values)
    try WorkBudget.admit(bytes: found.count * Self.rowWeight)
    for (row, value) in zip(found, graph.untracked({ list.values })) {
      let made = Row(row.id, value)
      made.place = row.place
      rows.append(made)
      follow(made)
    }
    observe()
    if let failure { throw failure }
  }

  /// Keeps all that the list holds in place of what there is; at once, or only when it changes,
  /// where what there is cannot be read.
  func begin(atOnce: Bool) {
    takeAll()
    observe()
    if atOnce { return keeper.noteChange(of: owner) }
    isReadable = false
    for row in rows { row.isChanged = false }
    pending = Pending()
    for row in rows { follow(row) }
  }

  private func observe() {
    let observer = ListObserver(ListObservationOptions(batch: true)) { [unowned self] in
      try apply($0)
      if !pending.isEmpty { keeper.noteChange(of: owner) }
    }
    self.observer = observer
    slot = observer.observe(list)
  }

  func end() {
    if let slot { graph.dispose(slot) }
    slot = nil
    observer = nil
    for row in rows { row.mark?.end() }
    rows = []
  }

  // MARK: Following

  /// Notices when something in a row changes.
  private func follow(_ row: Row) {
    guard row.value.isMutable else { return }
    let mark = ChangeMark(graph) { [unowned self, unowned row] in note(row) }
    row.mark = mark
    mark.read { _ = try? keeper.bytes(of: row.value) }
  }

  private func note(_ row: Row) {
    if row.isChanged || row.isRemoved { return }
    row.isChanged = true
    pending.changed.append(row)
    keeper.noteChange(of: owner)
  }

  private func takeAll() {
    for row in rows { row.mark?.end() }
    pending = Pending(isWhole: true, lacksPlaces: true)
    rows = []
    insert(graph.untracked { list.values }, at: 0)
  }

  private func insert(_ values: [Value], at index: Int) {
    let made = values.map { value in
      lastID = lastID < .max ? lastID + 1 : 1
      let row = Row(lastID, value)
      row.isChanged = true
      return row
    }
    rows.insert(contentsOf: made, at: index)
    pending.changed += made
    pending.lacksPlaces = true
  }

  private func remove(at index: Int) {
    let row = rows.remove(at: index)
    row.mark?.end()
    row.isRemoved = true
    pending.removed.append(row.id)
  }

  private func apply(_ changes: [ListChange]) throws {
    // Where the turn ends in between, all is written anew.
    var isDone = false
    defer { if !isDone { pending.isWhole = true } }
    var clock = WorkClock()
    for change in changes {
      switch change.kind {
      case .insertion:
        try WorkBudget.admit(bytes: change.objects.count * Self.rowWeight)
        if let first = change.indexes.first,
          change.indexes.last == first + change.indexes.count - 1
        {
          insert(change.objects, at: first)
        } else {
          for (index, value) in zip(change.indexes, change.objects) {
            try clock.step()
            insert([value], at: index)
          }
        }
      case .removal:
        if let first = change.indexes.first, let last = change.indexes.last,
          last == first + change.indexes.count - 1
        {
          for row in rows[first...last] {
            row.mark?.end()
            row.isRemoved = true
            pending.removed.append(row.id)
          }
          rows.removeSubrange(first...last)
        } else {
          for index in change.indexes.reversed() {
            try clock.step()
            remove(at: index)
          }
        }
      case .replacement:
        for (index, value) in zip(change.indexes, change.objects) {
          try clock.step()
          remove(at: index)
          insert([value], at: index)
        }
      case .move:
        let row = rows.remove(at: change.indexes[0])
        rows.insert(row, at: change.indexes[1])
        row.place = ""
        pending.moved.append(row)
        pending.lacksPlaces = true
      }
    }
    isDone = true
  }

  // MARK: Writing

  /// Takes over edits that nobody has been told of yet.
  func update() throws {
    if let edits = observer?.takePending(), !edits.isEmpty { try apply(edits) }
    if !isReadable, !pending.isEmpty { pending.isWhole = true }
    if pending.isWhole, pending.changed.count < rows.count || rows.count != list.count { takeAll() }
  }

  var isChanged: Bool { !pending.isEmpty }

  func write(to tables: KeptTables) throws {
    if pending.isEmpty { return }
    var clock = WorkClock()
    if pending.isWhole {
      try tables.removeRows(at: address)
      try tables.put(.rows, at: address)
    }
    for id in pending.removed where !pending.isWhole {
      try clock.step()
      try tables.remove(id, at: address)
    }
    if pending.lacksPlaces { try givePlaces() }
    for row in pending.changed where !row.isRemoved {
      try clock.step()
      guard let bytes = try bytes(of: row) else { continue }
      let stored = KeptTables.Row(id: row.id, place: row.place, bytes: bytes)
      try tables.put(stored, at: address)
    }
    for row in pending.moved where !row.isRemoved && !row.isChanged {
      try clock.step()
      try tables.move(row.id, to: row.place, at: address)
    }
    for row in pending.changed { row.isChanged = false }
    isReadable = true
    inDoubt.isWhole = inDoubt.isWhole || pending.isWhole
    inDoubt.changed += pending.changed
    inDoubt.moved += pending.moved
    inDoubt.removed += pending.removed
    pending = Pending()
  }

  /// The transaction has stood, or has come to nothing.
  func settle(isKept: Bool) {
    if !isKept {
      pending.isWhole = pending.isWhole || inDoubt.isWhole
      for row in inDoubt.changed where !row.isChanged {
        row.isChanged = true
        pending.changed.append(row)
      }
      pending.moved += inDoubt.moved
      pending.removed += inDoubt.removed
    }
    inDoubt = Pending()
  }

  /// Nil, and listed, where no file can hold it.
  private func bytes(of row: Row) throws -> [UInt8]? {
    guard row.value.isMutable else { return try keeper.listing { try keeper.bytes(of: row.value) } }
    let mark = row.mark ?? ChangeMark(graph) { [unowned self, unowned row] in note(row) }
    row.mark = mark
    var result: Result<[UInt8], any Error> = .success([])
    mark.read { result = Result { try keeper.bytes(of: row.value) } }
    return try keeper.listing { try result.get() }
  }

  /// Gives a place to each row that has none.
  private func givePlaces() throws {
    var clock = WorkClock()
    var index = 0
    var isLong = false
    while index < rows.count {
      try clock.step()
      guard rows[index].place.isEmpty else {
        index += 1
        continue
      }
      var end = index
      while end < rows.count, rows[end].place.isEmpty { end += 1 }
      let places = OrderKeys.between(
        index == 0 ? "" : rows[index - 1].place, end == rows.count ? "" : rows[end].place,
        count: end - index)
      for (offset, place) in places.enumerated() {
        rows[index + offset].place = place
        if place.utf8.count > Self.longestPlace { isLong = true }
      }
      index = end
    }
    pending.lacksPlaces = false
    if !isLong { return }
    for (row, place) in zip(rows, OrderKeys.between("", "", count: rows.count)) {
      row.place = place
      pending.moved.append(row)
    }
  }
}

extension Value {
  /// Whether something in it may change.
  fileprivate var isMutable: Bool {
    if case .object(let object) = self { object is DataObject } else { false }
  }
}
