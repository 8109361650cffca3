public import TideGraph
import TideValues

/// Edits by position, counted from 0. Each is one change, and settles the list's dependents.
///
/// All throw `readOnly` for a list that follows another one, `outOfRange` for a position that is
/// not in the list, `graph` for a list of another actor, thread or runtime, and `wrongType` for a
/// value that the Swift type of an `ObservableList` cannot hold. The list then stays unchanged.
extension ValueList {
  /// Adds values at the end, in their order.
  ///
  /// - Throws: `readOnly` for a list that follows another one, `graph` for one of another actor,
  ///   thread or runtime.
  public final func append(_ values: Value...) throws(TideError) {
    try append(contentsOf: values)
  }

  /// Adds the values of an array at the end.
  ///
  /// - Throws: `readOnly` for a list that follows another one, `graph` for one of another actor,
  ///   thread or runtime.
  public final func append(contentsOf values: [Value]) throws(TideError) {
    try insert(contentsOf: values, at: storage.count)
  }

  /// Inserts a value at a position from 0. The position after the last one appends.
  ///
  /// - Throws: `outOfRange`, `readOnly` or `graph`; the list then stays unchanged.
  public final func insert(_ value: Value, at position: Int) throws(TideError) {
    try insert(contentsOf: [value], at: position)
  }

  /// Inserts values before a position. The position after the last one appends.
  ///
  /// - Throws: `outOfRange`, `readOnly` or `graph`; the list then stays unchanged.
  public final func insert(contentsOf values: [Value], at position: Int) throws(TideError) {
    try prepare(position, upTo: storage.count)
    let elements = values.asElements
    try checkTypes(of: elements)
    if !elements.isEmpty { commit(.insert(elements, at: position)) }
  }

  /// Removes elements from a position on. Returns the removed elements.
  ///
  /// - Throws: `outOfRange`, `readOnly` or `graph`; the list then stays unchanged.
  @discardableResult
  public final func remove(at position: Int, count: Int = 1) throws(TideError) -> [Value] {
    if count == 0 { return [] }
    try prepare(position, upTo: storage.count - 1)
    try check(removing: count, at: position, calledPosition: position)
    return commit(.remove(position..<position + count))
  }

  /// Removes the elements at some positions of the list, in one change.
  final func remove(_ positions: RowSet) throws(TideError) {
    guard let first = positions.first else { return }
    try prepare()
    if positions.isOneRun {
      commit(.remove(first..<first + positions.count))
    } else {
      let rows = positions.rows
      commit(.change(ListChange(.removal, rows, rows.map { storage[$0] })))
    }
  }

  /// Removes the first element that equals a value; false when there is none.
  ///
  /// - Throws: `readOnly` or `graph`.
  @discardableResult
  public final func removeObject(_ value: Value) throws(TideError) -> Bool {
    try prepare()
    guard let position = Graph.untracked(at: firstSlot, { index(of: value) }) else { return false }
    commit(.remove(position..<position + 1))
    return true
  }

  /// Replaces an element, unless the value equals it.
  ///
  /// - Throws: `outOfRange`, `readOnly` or `graph`; the list then stays unchanged.
  public final func replace(at position: Int, with value: Value) throws(TideError) {
    try prepare(position, upTo: storage.count - 1)
    let element = value.asElement
    if elementType != nil { try checkTypes(of: [element]) }
    if storage[position] != element { commit(.replace(element, at: position)) }
  }

  /// Moves an element. `to` is its position afterwards.
  ///
  /// - Throws: `outOfRange`, `readOnly` or `graph`; the list then stays unchanged.
  public final func move(from: Int, to: Int) throws(TideError) {
    try prepare(from, upTo: storage.count - 1)
    try prepare(to, upTo: storage.count - 1)
    if from != to { commit(.move(from: from, to: to)) }
  }

  /// Removes all elements.
  ///
  /// - Throws: `readOnly` or `graph`.
  public final func clear() throws(TideError) {
    try prepare()
    if storage.count > 0 { commit(.remove(0..<storage.count)) }
  }

  /// Sets the contents to those of an array, by the smallest edits, which alone are reported.
  ///
  /// - Throws: `readOnly` or `graph`; `scriptTime` or `scriptMemory` when the running turn has too
  ///   little time or memory left to find these edits. The list then stays unchanged.
  public final func set(_ values: [Value]) throws(TideError) {
    try prepare()
    let elements = values.asElements
    try checkTypes(of: elements)
    let changes: [ListChange]
    do {
      changes = try ListDifference.changes(
        from: storage.elements(in: 0..<storage.count), to: elements)
    } catch {
      throw TideError(error)
    }
    follow(changes)
  }

  /// Restores earlier contents by a removal and an insertion, which need no comparison.
  final func restore(_ elements: [Value]) {
    let old = storage.count > 0 ? perform(.remove(0..<storage.count)) : []
    if !elements.isEmpty { perform(.insert(elements, at: 0)) }
    noteForEdits(.remove(0..<old.count), old)
    noteForEdits(.insert(elements, at: 0), [])
    noteChange()
  }

  private func follow(_ changes: [ListChange]) {
    if changes.isEmpty { return }
    for change in changes {
      announce(.change(change))
      noteForEdits(.change(change), perform(.change(change)))
    }
    isRefilled = true
    noteChange()
  }

  /// Throws if an element does not have the list's Swift element type.
  private func checkTypes(of elements: [Value]) throws(TideError) {
    guard let elementType else { return }
    for (index, element) in elements.enumerated() {
      do { try elementType.check(element) } catch {
        let reason = ValueMismatch.reason(error) ?? "\(error)"
        let which = elements.count > 1 ? " #\(index + 1) of those" : ""
        throw TideError(
          .wrongType, "\(label.inMessage) does not take this element\(which): \(reason)",
          cause: error)
      }
    }
  }

  private func prepare(_ position: Int, upTo last: Int) throws(TideError) {
    try prepare()
    try check(position, from: 0, upTo: last)
  }

  /// Throws if no edit of the list is possible now.
  final func prepare() throws(TideError) {
    if !Graph.admitsWrite(to: firstSlot) {
      throw .otherGraph("\(label.inMessage) belongs to", .of(firstSlot))
    }
    if isReadOnly {
      throw TideError(.readOnly, refusal)
    }
    if isAboutToChange {
      throw TideError(
        .readOnly, "this list is about to be edited, which is what is told; edit it afterwards")
    }
  }
}
