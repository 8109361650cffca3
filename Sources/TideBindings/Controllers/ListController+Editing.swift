public import TideGraph

extension ListController {
  /// Adds objects to the content, at its end.
  ///
  /// - Throws: `readOnly` when the controller or its content cannot be edited, and the error of a
  ///   pending edit that the model refuses.
  public func add(_ objects: [Value]) throws { try insert(objects, before: nil) }

  /// Makes an object and inserts it before the selected row, or at the end if none is selected.
  ///
  /// - Throws: `badArgument` if the controller cannot make an object, and as `insert(_:)` does.
  @discardableResult
  public func insert() throws -> Value {
    let object = try newObject()
    try insert(object)
    return object
  }

  /// Inserts an object before the first selected row, or at the end if none is selected.
  ///
  /// - Throws: `readOnly` when the controller or its content cannot be edited, and the error of a
  ///   pending edit that the model refuses.
  public func insert(_ object: Value) throws {
    try insert([object], before: graph.untracked { selectedRows.first })
  }

  /// Inserts an object before a row, by its index from 0. In sorted rows the order decides the
  /// object's position.
  ///
  /// - Throws: `outOfRange` for an index that is neither a row's nor the number of rows, and as
  ///   `insert(_:)` does.
  public func insert(_ object: Value, at index: Int) throws { try insert([object], at: index) }

  /// Inserts objects before a row, by its index from 0 among the arranged objects.
  ///
  /// - Throws: as `insert(_:at:)` with one object does.
  public func insert(_ objects: [Value], at index: Int) throws {
    try insert(objects, at: index, calledIndex: index, first: 0)
  }

  /// Inserts objects before a row, by a script's number from 1.
  package func insert(_ objects: [Value], atNumber number: Int) throws {
    try insert(objects, at: number.position, calledIndex: number, first: 1)
  }

  private func insert(
    _ objects: [Value], at index: Int, calledIndex called: Int, first: Int
  ) throws {
    let count = graph.untracked { arranged.count }
    guard called >= first, called <= count + first else {
      throw TideError(
        .outOfRange,
        "index \(called) is outside of \(count) rows; insert at \(first) to \(count + first)")
    }
    try insert(objects, before: index == count ? nil : index)
  }

  /// Removes objects from the content. Ignores objects that are not in it.
  ///
  /// - Throws: `readOnly` when the controller or its content cannot be edited.
  public func remove(_ objects: [Value]) throws {
    if objects.count == 1 {
      _ = try removeObject(objects[0])
      return
    }
    try checkEditable()
    guard let content = graph.untracked({ contentList() }) else { return }
    let positions = try graph.untracked {
      try RowSelection.rows(of: objects.map(\.asElement), in: content.values)
    }
    if positions.isEmpty { return }
    try dropEdits(of: graph.untracked { positions.rows.map { content.storage[$0] } })
    try graph.batch { try removeContent(positions) }
  }

  /// Removes the objects of rows, by their indexes from 0.
  ///
  /// - Throws: `outOfRange` for a row beyond the last, `readOnly` when the controller or its
  ///   content cannot be edited, and `WorkError` when the running turn has no time left.
  public func remove(at indexes: [Int]) throws {
    try remove(numbered: indexes, first: 0)
  }

  /// Removes the objects of rows, by a script's numbers from 1.
  package func remove(numbered numbers: [Int]) throws { try remove(numbered: numbers, first: 1) }

  private func remove(numbered numbers: [Int], first: Int) throws {
    let count = graph.untracked { arranged.count }
    if let number = numbers.first(where: { $0 < first || $0 >= count + first }) {
      throw TideError(.outOfRange, "there is no row \(number) among \(count)")
    }
    try removeRows(RowSet(numbers.lazy.map { $0 - first }))
  }

  // MARK: Content

  func removeObject(_ object: Value) throws -> Bool {
    try checkEditable()
    let object = object.asElement
    guard let content = graph.untracked({ contentList() }),
      let position = graph.untracked({ content.index(of: object) })
    else { return false }
    try dropEdits(of: [object])
    try graph.batch { try removeContent(RowSet(position..<position + 1)) }
    return true
  }

  func removeRows(_ removed: RowSet) throws {
    try checkEditable()
    if removed.isEmpty { return }
    let rows = removed.rows
    var clock = WorkClock()
    try dropEdits(of: graph.untracked { rows.map { arranged.storage[$0] } })
    let positions = try graph.untracked {
      try rows.map { row in
        try clock.step()
        return contentPosition(of: row)
      }
    }
    try graph.batch { try removeContent(RowSet(positions)) }
  }

  /// Discards the edits of objects that are about to be removed.
  private func dropEdits(of objects: [Value]) throws {
    guard isEditingRecord || graph.untracked({ isEditing }) else { return }
    var clock = WorkClock()
    var going: Set<ContentKey> = []
    for object in objects {
      try clock.step()
      going.insert(ContentKey(object))
    }
    BindingTable.of(graph).editedRecords?.willRemove(going)
    if graph.untracked({ selectedValues }).contains(where: { going.contains(ContentKey($0)) }) {
      discardEditing()
    }
  }

  /// The position of a row's object in the content. Both count from 0.
  private func contentPosition(of row: Int) -> Int {
    guard let row = arranged.sourcePosition(of: row) else {
      // The object is being edited and no longer passes the filter.
      return contentList()?.index(of: arranged.storage[row]) ?? 0
    }
    let filteredRow = chain.sorted?.sourcePosition(of: row) ?? row
    return chain.filtered?.sourcePosition(of: filteredRow) ?? filteredRow
  }

  private func insert(_ objects: [Value], before row: Int?) throws {
    try checkEditable()
    if objects.isEmpty { return }
    try commitEdits()
    let selects = graph.untracked { self["selectsInsertedObjects"] == true }
    try graph.batch {
      // Determined before insertions are gathered, so that no pending change counts as one of them.
      let anchor = row.map { row in graph.untracked { contentPosition(of: row) } }
      if graph.untracked({ self["clearsFilterOnInsertion"] == true && self["filter"] != .null }) {
        put("filter", .null)
      }
      let position = chain.sorted == nil ? anchor : nil
      _ = graph.untracked { selectedRows }
      let gathered = try rows.gatheringInsertions {
        try insertContent(objects, at: position)
        _ = graph.untracked { arranged.count }
      }
      guard selects else { return }
      // A list that was rearranged meanwhile has not reported each inserted row.
      let inserted = gathered.count == objects.count ? gathered : try rows(ofInserted: objects)
      if !inserted.isEmpty { select(inserted) }
    }
  }

  private func rows(ofInserted objects: [Value]) throws -> RowSet {
    try graph.untracked {
      try RowSelection.rows(of: objects.map(\.asElement), in: arranged.values)
    }
  }
}
