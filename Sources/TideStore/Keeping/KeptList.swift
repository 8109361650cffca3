import TideBindings
import TideGraph
import TideScript

/// A list that is persisted row by row. Only changed rows are written.
///
///     edits of the list ──▶ rows: inserted, moved, removed ─┐
///     changes in a row's object ──▶ its mark ──▶ changed ───┴─ write ──▶ the database
///
/// A row has an order key between those of its neighbours, so that an insertion or a move writes
/// only one row.
final class KeptList {
  let list: ValueList
  private unowned let owner: KeptObject
  private unowned let keeper: ModelKeeper
  private let identities: KeptIdentities
  private let address: KeptTables.Address
  /// In list order.
  private var rows: [KeptRow] = []
  private var lastID = 0
  /// Whether the database contains the list's rows, and only changes need writing.
  private var isReadable = true
  /// Whether restoring was interrupted. It is retried unless the program changes the list first.
  private(set) var isCutOff = false
  /// Whether even the ids of the database's rows are unknown.
  private var isUnknown = false
  /// Whether unreadable rows have new order keys to write.
  private var arePlacesNew = false
  private var pending = KeptRowChanges()
  /// Changes written by the open transaction, which may be rolled back.
  private var inDoubt = KeptRowChanges()
  private var observer: ListObserver?
  private var slot: Slot?

  /// Rows of the database that cannot be read, for example because the app does not declare their
  /// class. They stay in the database.
  private(set) var unread: [Unread] = []

  /// The longest order key, in letters. If many insertions at one position exceed it, all rows get
  /// new keys.
  private static let longestPlace = 100
  /// Bytes of memory for tracking a row.
  private static let rowWeight = 700

  init(
    _ list: ValueList, _ owner: KeptObject, _ keeper: ModelKeeper, _ address: KeptTables.Address
  ) {
    (self.list, self.owner, self.keeper, self.address) = (list, owner, keeper, address)
    identities = keeper.identities
  }

  private var graph: Graph { list.graph }

  // MARK: Restoring

  /// Fills the list from the database. Rows that cannot be read, because their class is missing,
  /// stay in the database. If restoring is interrupted, all rows stay there, and the list is
  /// unchanged.
  func restore(_ stored: () throws -> [KeptTables.Row]) throws {
    var rows: [KeptTables.Row]?
    do {
      let known = try stored()
      rows = known
      try restore(known)
    } catch {
      if observer != nil { throw error }
      isCutOff = TideError(wrapping: error, graph: graph).isCutOff
      isUnknown = rows == nil
      adopt((rows ?? []).map { Unread(id: $0.id, place: $0.place, className: nil) })
      begin(atOnce: false)
      throw error
    }
  }

  private func restore(_ stored: [KeptTables.Row]) throws {
    unread = []
    var found: [(row: KeptTables.Row, value: Value)] = []
    var failure: (any Error)?
    for row in stored {
      lastID = max(lastID, row.id)
      do {
        if let value = try keeper.value(in: row.bytes) {
          found.append((row, value))
        } else {
          unread.append(Unread(id: row.id, place: row.place, className: keeper.missingClass))
        }
      } catch {
        guard let known = error as? TideError, known.code == .settings, !known.isCutOff else {
          throw error
        }
        failure = failure ?? error
        unread.append(Unread(id: row.id, place: row.place, className: nil))
      }
    }
    try WorkBudget.admit(bytes: found.count * Self.rowWeight)
    try list.set(found.map(\.value))
    for ((row, _), value) in zip(found, graph.untracked({ list.values })) { add(row, value) }
    observe()
    if let failure { throw failure }
  }

  private func add(_ stored: KeptTables.Row, _ value: Value, at index: Int? = nil) {
    let made = KeptRow(stored.id, value, in: self)
    made.place = stored.place
    rows.insert(made, at: index ?? rows.count)
    follow(made)
  }

  /// Reads the unreadable rows again.
  func readAgain(_ stored: () throws -> [KeptTables.Row]) throws {
    if unread.isEmpty && !isCutOff { return }
    try update()
    if isCutOff {
      isCutOff = false
      if pending.isEmpty && !isReadable {
        end()
        (isReadable, isUnknown) = (true, false)
        return try restore(stored)
      }
    }
    noteIndexes()
    let waiting = Dictionary(unread.map { ($0.id, $0) }) { first, _ in first }
    var left: [Unread] = []
    var found: [(row: KeptTables.Row, value: Value)] = []
    for row in try stored() {
      guard let known = waiting[row.id] else { continue }
      if let value = try? keeper.value(in: row.bytes) {
        found.append((row, value))
      } else {
        left.append(Unread(id: known.id, place: known.place, className: keeper.missingClass))
      }
    }
    unread = left
    if found.isEmpty { return }
    // Restored rows are not changes to write.
    stopObserving()
    defer { observe() }
    let indexes = Dictionary(waiting.map { ($0.key, $0.value.index) }) { first, _ in first }
    for (offset, entry) in found.enumerated() {
      let index = min((indexes[entry.row.id] ?? 0) + offset, rows.count)
      do { try list.insert(entry.value, at: index) } catch {
        unread += found[offset...].compactMap { waiting[$0.row.id] }
        throw error
      }
      add(entry.row, graph.untracked { list.values[index] }, at: index)
    }
  }

  /// Adopts the unreadable rows of the property's former list.
  func adopt(_ unread: [Unread]) {
    self.unread = unread
    lastID = max(lastID, unread.map(\.id).max() ?? 0)
  }

  /// Records the positions of the unreadable rows.
  private func noteIndexes() {
    for index in unread.indices {
      let place = unread[index].place
      let last = rows.lastIndex { !$0.place.isEmpty && $0.place < place }
      unread[index].index = last.map { $0 + 1 } ?? 0
    }
  }

  /// Replaces the stored rows by the list's rows: now, or, if the stored rows cannot be read, at
  /// the list's next change.
  func begin(atOnce: Bool) {
    takeAll()
    observe()
    if atOnce { return keeper.noteChange(of: owner) }
    isReadable = false
    for row in rows { row.isChanged = false }
    pending = KeptRowChanges()
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

  private func stopObserving() {
    if let slot { graph.dispose(slot) }
    slot = nil
    observer = nil
  }

  func end() {
    stopObserving()
    for row in rows { leave(row) }
    rows = []
  }

  /// Stops following a row.
  private func leave(_ row: KeptRow) {
    row.mark?.end()
    identities.leave(row)
  }

  // MARK: Following changes

  /// Detects changes inside a row.
  private func follow(_ row: KeptRow) {
    guard row.value.isMutable else { return }
    let mark = ChangeMark(graph) { [unowned self, unowned row] in note(row) }
    row.mark = mark
    mark.read { _ = try? keeper.bytes(of: row.value, in: row) }
  }

  /// Writes a row again, because an object in it has got a row of its own.
  func rewrite(_ row: KeptRow) { if isReadable { note(row) } }

  private func note(_ row: KeptRow) {
    if row.isChanged || row.isRemoved { return }
    row.isChanged = true
    pending.changed.append(row)
    keeper.noteChange(of: owner)
  }

  private func takeAll() {
    noteIndexes()
    for row in rows { leave(row) }
    pending = KeptRowChanges(isWhole: true, lacksPlaces: true)
    rows = []
    insert(graph.untracked { list.values }, at: 0)
  }

  private func insert(_ values: [Value], at index: Int) {
    let made = values.map { value in
      lastID = lastID < .max ? lastID + 1 : 1
      let row = KeptRow(lastID, value, in: self)
      row.isChanged = true
      return row
    }
    rows.insert(contentsOf: made, at: index)
    pending.changed += made
    pending.lacksPlaces = true
  }

  private func remove(at index: Int) {
    let row = rows.remove(at: index)
    leave(row)
    row.isRemoved = true
    pending.removed.append(row.id)
  }

  private func apply(_ changes: [ListChange]) throws {
    // If the turn ends in between, everything is written again.
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
            leave(row)
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

  /// Applies edits that have not been reported yet.
  func update() throws {
    if let edits = observer?.takePending(), !edits.isEmpty { try apply(edits) }
    if isUnknown, !pending.isEmpty {
      // The stored rows stay, and their ids must not be reused.
      adopt(try keeper.rows(at: address).map { Unread(id: $0.id, place: $0.place, className: nil) })
      isUnknown = false
      takeAll()
    }
    if !isReadable, !pending.isEmpty { pending.isWhole = true }
    if pending.isWhole, pending.changed.count < rows.count || rows.count != list.count { takeAll() }
  }

  var isChanged: Bool { !pending.isEmpty }

  func write(to tables: KeptTables) throws {
    if pending.isEmpty { return }
    if pending.lacksPlaces { try givePlaces() }
    // Rows may change during the write, when a shared object gets a row of its own.
    let writing = pending
    pending = KeptRowChanges()
    do { try write(writing, to: tables) } catch {
      pending.restore(writing)
      throw error
    }
    isReadable = true
    inDoubt.isWhole = inDoubt.isWhole || writing.isWhole
    inDoubt.changed += writing.changed
    inDoubt.moved += writing.moved
    inDoubt.removed += writing.removed
  }

  private func write(_ writing: KeptRowChanges, to tables: KeptTables) throws {
    var clock = WorkClock()
    if writing.isWhole {
      try tables.removeRows(at: address, butFor: unread.map(\.id))
      try tables.put(.rows, at: address)
    }
    for row in unread where arePlacesNew {
      try clock.step()
      try tables.move(row.id, to: row.place, at: address)
    }
    arePlacesNew = false
    for id in writing.removed where !writing.isWhole {
      try clock.step()
      try tables.remove(id, at: address)
    }
    for row in writing.changed where !row.isRemoved {
      try clock.step()
      row.isChanged = false
      guard let bytes = try bytes(of: row) else { continue }
      let stored = KeptTables.Row(id: row.id, place: row.place, bytes: bytes)
      try tables.put(stored, at: address)
    }
    for row in writing.moved where !row.isRemoved {
      try clock.step()
      try tables.move(row.id, to: row.place, at: address)
    }
  }

  /// Called after the transaction was committed or rolled back.
  func settle(isKept: Bool) {
    if !isKept {
      pending.restore(inDoubt)
      if !unread.isEmpty { arePlacesNew = true }
    }
    inDoubt = KeptRowChanges()
  }

  /// Encodes a row. Lists an error and returns nil if the value cannot be stored.
  private func bytes(of row: KeptRow) throws -> [UInt8]? {
    guard row.value.isMutable else {
      return try keeper.listing { try keeper.bytes(of: row.value, in: row) }
    }
    let mark = row.mark ?? ChangeMark(graph) { [unowned self, unowned row] in note(row) }
    row.mark = mark
    var result: Result<[UInt8], any Error> = .success([])
    mark.read { result = Result { try keeper.bytes(of: row.value, in: row) } }
    return try keeper.listing { try result.get() }
  }

  /// Gives an order key to each row without one.
  private func givePlaces() throws {
    if pending.isWhole { return renumber() }
    // Appended rows follow the unreadable ones.
    let last = unread.map(\.place).max() ?? ""
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
      let before = index == 0 ? "" : rows[index - 1].place
      let places = OrderKeys.between(
        end == rows.count ? max(before, last) : before, end == rows.count ? "" : rows[end].place,
        count: end - index)
      for (offset, place) in places.enumerated() {
        rows[index + offset].place = place
        if place.utf8.count > Self.longestPlace { isLong = true }
      }
      index = end
    }
    pending.lacksPlaces = false
    if !isLong { return }
    noteIndexes()
    renumber()
    pending.moved += rows
  }

  /// Gives a new order key to every row, including unreadable ones.
  private func renumber() {
    pending.lacksPlaces = false
    arePlacesNew = !unread.isEmpty
    var places = OrderKeys.between("", "", count: rows.count + unread.count)[...]
    var next = 0
    for (index, row) in rows.enumerated() {
      while next < unread.count, unread[next].index <= index, let place = places.popFirst() {
        unread[next].place = place
        next += 1
      }
      if let place = places.popFirst() { row.place = place }
    }
    while next < unread.count, let place = places.popFirst() {
      unread[next].place = place
      next += 1
    }
  }
}

extension Value {
  /// Whether the value is an object that may change inside.
  fileprivate var isMutable: Bool {
    if case .object(let object) = self { object is DataObject } else { false }
  }
}
