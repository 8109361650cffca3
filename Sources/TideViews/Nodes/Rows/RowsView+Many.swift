import TideBindings
import TideGraph

// Multiple selection.
extension RowsView {
  /// Selects exactly the given rows, except for any beyond the end.
  final func mark(_ wanted: RowSet, current: Int?, anchor: Int?) {
    if !isToldByController { marks.forgetGiven() }
    take(wanted, current: current, anchor: anchor)
  }

  func take(_ wanted: RowSet, current: Int?, anchor: Int?, isRefreshed: Bool = false) {
    let count = count
    var rows = wanted
    rows.clip(to: count)
    marks.rows = rows
    marks.anchor = anchor.flatMap { $0 >= 0 && $0 < count ? $0 : nil }
    selection = current.flatMap { $0 >= 0 && $0 < count ? $0 : nil }
    if isRefreshed { marks.told = nil }
    isSyncing = true
    let selecting = mode == .many ? selectingController : nil
    // All rows first, because a selection property may report only the first one.
    if let selecting, selecting.isTwoWay { selectInController(rows, selecting) }
    putSelection()
    if isSelectionOfController, selecting?.isTwoWay ?? true {
      let wanted = wantedRows
      if wanted != marks.rows {
        // The controller may keep a row that is being edited, or its last row.
        marks.rows = wanted
        if selection.map({ !wanted.contains($0) }) ?? true { selection = wanted.first }
        putSelection()
      }
    }
    isSyncing = false
    noteObjects()
    selectionChanged()
    showSelection()
  }

  /// Writes the selection to the list properties, except to one whose assigned list is incomplete.
  final func putLists() {
    let rows = selectedRows
    let object = rows.first.flatMap { content?.row($0) } ?? .null
    if rows == marks.told && object == marks.toldObject { return }
    (marks.told, marks.toldObject) = (rows, object)
    // An assigned list stays in its property while it matches the selection.
    let keeps = isGivenListHeld && (mode == .many || marks.isAwaited)
    let kept = keeps ? marks.given : nil
    if kept != .selectedIndexes {
      let list = RowList(
        numbersOf: rows, howTo: "set selectedIndexes to another list to select")
      marks.shownIndexes = list
      put(.selectedIndexes, .object(list))
    }
    if kept != .selectedObjects {
      let list = list(of: rows)
      marks.shownObjects = list
      put(.selectedObjects, .object(list))
    }
  }

  /// Whether the property still holds the list that was assigned to it.
  private var isGivenListHeld: Bool {
    guard let list = marks.givenList, let property = marks.given,
      case .object(let held) = peek(property, as: Value.self)
    else { return false }
    return held === list || marks.isAwaited
  }

  private func list(of rows: RowSet) -> RowList {
    let howTo = "set selectedObjects to another list to select"
    if let list = content?.list { return RowList(rows, of: list, howTo: howTo) }
    if rows.count > Self.objectLimit {
      return RowList(howTo: howTo) { [weak self] in self?.objects(of: rows) ?? [] }
    }
    let objects = objects(of: rows)
    return RowList(howTo: howTo) { objects }
  }

  /// The maximum number of rows in a tree whose objects are remembered.
  private static var objectLimit: Int { 10_000 }

  func objects(of rows: RowSet) -> [Value] {
    graph.untracked { rows.runs.flatMap { run in run.map { content?.row($0) ?? .null } } }
  }

  private func noteObjects() {
    let isNoted = mode == .many && content?.list == nil && marks.rows.count <= Self.objectLimit
    marks.objects = isNoted ? objects(of: marks.rows) : []
  }

  // MARK: By the user

  /// Adds a row to the selection, or removes it.
  final func toggle(_ row: Int, _ key: Key?) {
    let row = max(0, min(row, count - 1))
    var rows = marks.rows
    if rows.contains(row) { rows.remove(row..<row + 1) } else { rows.insert(row..<row + 1) }
    revealAndTell(index(of: row, after: { mark(rows, current: row, anchor: row) }), key)
  }

  /// Selects the rows between the anchor and a row.
  final func extend(to row: Int, _ key: Key?) {
    let row = max(0, min(row, count - 1))
    let anchor = marks.anchor ?? selection ?? row
    let rows = RowSet(min(anchor, row)..<max(anchor, row) + 1)
    revealAndTell(index(of: row, after: { mark(rows, current: row, anchor: anchor) }), key)
  }

  private func selectAll(_ key: Key) {
    mark(RowSet(0..<count), current: selection ?? 0, anchor: marks.anchor)
    sendSelection(selection ?? 0, key)
  }

  private func revealAndTell(_ row: Int?, _ key: Key?) {
    revealsSelection = true
    scene?.layout.needsArrange(self)
    if let row { sendSelection(row, key) }
  }

  /// Makes a row the current one without changing the selection.
  private func moveCurrent(to row: Int) {
    selection = max(0, min(row, count - 1))
    marks.anchor = selection
    revealsSelection = true
    scene?.layout.needsArrange(self)
    for cell in cells { cell.setNeedsDraw() }
    setNeedsDraw()
  }

  /// Handles a key of multiple selection; nil for any other key.
  final func actOnMany(_ key: Key) -> Bool? {
    switch key {
    case Key(Character("a"), modifiers: .control): selectAll(key)
    case Key(.space) where !search.typed.isEmpty: return nil
    case Key(.space), Key(.space, modifiers: .control): toggle(selection ?? firstRow, key)
    case Key(.space, modifiers: .shift): extend(to: selection ?? firstRow, key)
    default:
      guard key.modifiers == .shift || key.modifiers == .control,
        let row = target(of: Key(key.code))
      else { return nil }
      if key.modifiers == .shift { extend(to: row, key) } else { moveCurrent(to: row) }
    }
    endSearch()
    return true
  }

  /// Scrolls by the navigation keys of a view without selection.
  final func scrollWithoutSelection(_ key: Key) -> Bool {
    if !overflows { return false }
    switch key {
    case Key(.up): scrollStep(-1)
    case Key(.down): scrollStep(1)
    case Key(.pageUp): scrollStep(-page)
    case Key(.pageDown): scrollStep(page)
    case Key(.home): scroll(toOffset: 0)
    case Key(.end): scroll(toOffset: extent)
    default: return false
    }
    return true
  }

  /// Handles a mouse press on a row.
  final func press(_ row: Int, _ modifiers: Key.Modifiers) {
    if mode == .many, modifiers.contains(.shift) {
      extend(to: row, nil)
    } else if mode == .many, modifiers.contains(.control) {
      toggle(row, nil)
    } else if mode != .none, isSelected(row), selectedRows.count == 1 {
      selection = row
      sendSelection(row, nil)
    } else {
      choose(row, nil)
    }
  }

  // MARK: By the program

  final func followSelectionMode() {
    let mode = SelectionMode(rawValue: text(.selectionMode)) ?? .one
    if mode == self.mode { return }
    followItems()
    if mode == self.mode { return }
    noteGiven()
    defer { followSelectingController() }
    let rows = selectedRows
    let (first, current) = (rows.first, selection)
    self.mode = mode
    (content as? ListFollowing)?.notesRemovals = mode == .many
    if marks.given != nil { return adoptGiven() }
    if mode == .many, selectingController != nil {
      followController(current: current)
    } else if mode == .many {
      mark(rows, current: current, anchor: current)
    } else {
      marks.clear()
      select(mode == .none ? nil : first)
    }
  }

  /// Adopts a list that the program has assigned to a property.
  final func followSelected(_ property: ViewProperty) {
    if isSyncing { return }
    let value = peek(property, as: Value.self)
    // The list reports the selection of a view.
    if case .object(let list) = value, list is RowList { return adoptRows(of: list, property) }
    followItems()
    var list: ValueList?
    if case .object(let found as ValueList) = value { list = found }
    followSelectingController()
    if selectInController(list, of: property) { return }
    give(property, list)
    adoptGiven()
    if rowController == nil || marks.isAwaited { return }
    // From now on the controller determines the selection.
    give(property, nil)
    marks.forgetGiven()
    take(selectedRows, current: selection, anchor: marks.anchor, isRefreshed: true)
  }

  final func give(_ property: ViewProperty, _ list: ValueList?) {
    let following = list.flatMap { list in
      list is FrozenList
        ? nil : ListFollowing(list) { [weak self] _ in self?.followOutside(property) }
    }
    marks.give(property, list, following: following)
  }

  /// Reads properties that were set together with others, before the view overwrites them: the mode
  /// while there are no rows yet, and assigned lists.
  final func noteGiven() {
    if content == nil, marks.rows.isEmpty, selection == nil {
      mode = SelectionMode(rawValue: text(.selectionMode)) ?? .one
    }
    for property in [ViewProperty.selectedIndexes, .selectedObjects] {
      guard case .object(let list as ValueList) = peek(property, as: Value.self),
        !(list is RowList), !(list is FrozenList), marks.givenList !== list
      else { continue }
      give(property, list)
    }
  }

  /// A binding may assign another view's list, or an earlier one of this view.
  private func adoptRows(of list: AnyObject, _ property: ViewProperty) {
    guard let list = list as? RowList else { return }
    // A search would find the first of equal rows.
    if list === marks.shownIndexes || list === marks.shownObjects { return }
    let rows = graph.untracked { self.rows(in: list, property).rows }
    if rows != selectedRows { takeFound(rows) }
  }

  /// Called when the assigned list has been edited.
  private func followOutside(_ property: ViewProperty) {
    guard let list = marks.outside?.list else { return }
    let found = graph.untracked { self.rows(in: list, property) }
    if found.rows != selectedRows { takeFound(found.rows) }
  }

  /// Selects the rows of those objects that exist.
  final func select(objects: [Value]) {
    let rows = graph.untracked { find(objects) }
    if rows != selectedRows { takeFound(rows) }
  }

  /// Selects the existing rows of the list in the model that a list property is bound to, and the
  /// others once they exist. The model is not written. Returns false if there is no such list.
  final func awaitsModelRows() -> Bool {
    if isSelectionOfController { return false }
    let table = BindingTable.of(graph)
    for property in [ViewProperty.selectedIndexes, .selectedObjects] where isBound(property) {
      guard let index = viewClass.index(of: property),
        case .object(let list as ValueList)? = table.valueFromModel(at: slot(index))
      else { continue }
      withoutChoosing {
        give(property, list)
        adoptGiven()
      }
      return true
    }
    return false
  }

  /// Selects the existing rows of the assigned list.
  final func adoptGiven() {
    guard let property = marks.given else { return }
    var found = (rows: RowSet(), areAll: true)
    if let list = marks.givenList {
      found = graph.untracked { self.rows(in: list, property) }
    }
    marks.noteFound(all: found.areAll || mode == .none)
    takeFound(found.rows)
  }

  final func takeFound(_ rows: RowSet) {
    if mode == .many {
      let current = selection.flatMap { rows.contains($0) ? $0 : nil } ?? rows.first
      take(rows, current: current, anchor: current)
      revealsSelection = true
      setNeedsLayout()
    } else {
      // The assigned list applies again if the mode later allows more rows.
      let given = marks
      select(rows.first)
      guard let property = given.given else { return }
      let told = marks.told
      marks.give(property, given.givenList, following: given.outside)
      marks.noteFound(all: !given.isAwaited)
      marks.told = told
      if given.isAwaited { restoreGiven(property) }
    }
  }

  /// Writes an incomplete assigned list back to its property.
  private func restoreGiven(_ property: ViewProperty) {
    guard let list = marks.givenList else { return }
    isSyncing = true
    put(property, .object(list))
    isSyncing = false
  }

  /// The rows that a list names by numbers or objects, and whether all of them exist.
  final func rows(
    in list: ValueList, _ property: ViewProperty
  ) -> (rows: RowSet, areAll: Bool) {
    let count = count
    if property == .selectedIndexes {
      if let numbered = (list as? RowList)?.numbered {
        var rows = numbered
        rows.clip(to: count)
        return (rows, rows.count == numbered.count)
      }
      let numbers = list.values
      let wanted = numbers.compactMap { Int.exactly($0)?.position }
      let rows = RowSet(wanted, among: count)
      return (rows, !wanted.contains { $0 >= count })
    }
    let objects = list.values
    var rows = find(objects)
    if rows.count < objects.count {
      for case let row? in objects.map({ row(of: $0, in: content) }) {
        rows.insert(row..<row + 1)
      }
    }
    return (rows, rows.count >= objects.count)
  }

  /// The rows of objects. An object that occurs n times in the list selects its first n rows.
  func find(_ objects: [Value]) -> RowSet {
    if objects.isEmpty { return RowSet() }
    if objects.count == 1 {
      return content?.index(of: objects[0]).map { RowSet($0..<$0 + 1) } ?? RowSet()
    }
    return find(objects, in: content?.list?.values ?? (0..<count).map { content?.row($0) ?? .null })
  }

  func find(_ objects: [Value], in all: [Value]) -> RowSet {
    do {
      return try RowSelection.rows(of: objects, in: all)
    } catch {
      report(error)
      return RowSet()
    }
  }
}
