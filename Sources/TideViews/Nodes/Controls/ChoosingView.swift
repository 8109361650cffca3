import TideBindings
package import TideGraph

/// The base class of pickers and radio groups: a choice of one of `items`, by `selectedIndex`,
/// `selectedObject` or `selectedValue`.
///
/// ```swift
/// for name in ["picker", "radio"] {
///   let choice = try ViewClasses().make(name)
///   choice[.items] = .object(ValueList(["red", "green"]))
/// }
/// ```
///
/// Items are texts, or objects shown by their `title`, `name` or `text`. The selection properties
/// are kept in sync. An object that is not yet among the items is selected once it appears, and
/// removing the selected item clears the selection. Two items with the same `key` count as equal. A
/// change of the items does not write to a model that is bound to the selection: the view shows
/// `missing` while no item matches the model's value, and the selection as soon as one does. A
/// selection by the user sends `valueChanged` with the item and its index.
public class ChoosingView: View, ItemChoice {
  private(set) var content: ListFollowing?
  private(set) var shownItems: Value = .null
  /// The selected row.
  private(set) var selection: Int?
  /// The row that was selected in the declaration.
  private var declaredRow: Int?
  let observers: PropertyObservers
  /// Identifies items: items with equal keys count as the same item. Nil without a key function.
  package final var keyOfItem: ((_ item: Value) throws -> Value)? {
    didSet { keyFailure = nil }
  }
  final var keyFailure: (failure: FunctionFailure, item: Value)?
  private var isSyncing = false
  private var titleEffect: Effect?
  /// Whether the titles have changed since the last frame.
  private var areTitlesStale = false

  /// The maximum number of items whose titles are observed.
  private static let followedTitles = 200

  package override init(viewClass: ViewClass) {
    observers = PropertyObservers(.current)
    super.init(viewClass: viewClass)
    observeChoice()
  }

  var count: Int { content?.count ?? 0 }

  /// The row that `selectedIndex` names, which may be out of bounds.
  private var wantedRow: Int? {
    peek(.selectedIndex, as: Int?.self).map { max($0.position, -1) }
  }

  func title(_ index: Int) -> String {
    graph.untracked { content.map { RowTitle.of($0.row(index)) } ?? "" }
  }

  /// Observes the titles of the items. The titles are read once a frame, however often they change
  /// before.
  private func followTitles() {
    areTitlesStale = false
    var isFirst = true
    titleEffect = graph.effect { [weak self] in
      guard let self, let content else { return }
      guard isFirst else { return titlesChanged() }
      isFirst = false
      for index in 0..<min(content.count, Self.followedTitles) {
        _ = RowTitle.of(content.row(index))
      }
    }
  }

  private func titlesChanged() {
    areTitlesStale = true
    setNeedsLayout()
    withScene { $0.needsState(self) }
  }

  override func stateChanged() {
    followItems()
    if titleEffect == nil || areTitlesStale { followTitles() }
  }

  // MARK: The choice

  /// Adopts a new list from `items`.
  func followItems() {
    let items = peek(.items, as: Value.self)
    if items == shownItems { return }
    shownItems = items
    content = ListFollowing(items) { [unowned self] in rowsChanged($0) }
    let object = peek(.selectedObject, as: Value.self)
    let value = peek(.selectedValue, as: Value.self)
    let row =
      object != .null
      ? row(of: object, in: content)
      : value != .null ? self.row(ofKey: value, in: content) : wantedRow
    refill(row, following: object)
    followTitles()
    itemsChanged()
    setNeedsLayout()
  }

  /// For subclasses: called when the items have changed.
  func itemsChanged() {}

  private func rowsChanged(_ edits: [RowEdit]) {
    let object = peek(.selectedObject, as: Value.self)
    var row = selection
    for edit in edits { row = row.flatMap { edit.index(of: $0) } }
    if object != .null, row.map({ content?.row($0) != object }) ?? true {
      row = self.row(of: object, in: content)
    } else if selection == nil {
      let value = peek(.selectedValue, as: Value.self)
      row = value == .null ? wantedRow : self.row(ofKey: value, in: content)
    }
    if selection != nil && row == nil && !lacksRows
      && !(isChoiceBound && isRefill(edits, of: content))
    {
      select(nil)
    } else {
      refill(row, following: object)
    }
    itemsChanged()
    setNeedsLayout()
  }

  /// Shows the selection among changed items: at the given row, or where the model's value is. The
  /// model is written only if it stores the selection as an index and the index has changed.
  private func refill(_ row: Int?, following object: Value) {
    let count = count
    let found = row.flatMap { $0 >= 0 && $0 < count ? $0 : nil }
    if let found, object == .null || content?.row(found) == object { return adopt(found) }
    if let shown = found ?? rowOfModel(in: content) {
      withoutChoosing { select(shown) }
    } else if selection != nil, isChoiceBound, !lacksRows {
      withoutChoosing { select(nil) }
    } else {
      adopt(nil)
    }
  }

  /// The text shown while nothing is selected.
  final var shownPlaceholder: String {
    let missing = text(.missing)
    if missing.isEmpty || !isChoiceBound { return text(.placeholder) }
    let table = BindingTable.of(graph)
    let isMissing = [ViewProperty.selectedValue, .selectedObject, .selectedIndex].contains {
      viewClass.index(of: $0).flatMap { table.valueFromModel(at: slot($0)) }.map { !$0.isNil }
        ?? false
    }
    return isMissing ? missing : text(.placeholder)
  }

  /// Shows a selection set by the properties. A value that matches no item may match a later one.
  private func adopt(_ row: Int?) {
    if let row, row >= 0, row < count {
      select(row)
    } else {
      selection = nil
      setNeedsDraw()
    }
  }

  /// Sets the selection properties to an item; nil clears them.
  func select(_ row: Int?) {
    let row = row.flatMap { $0 >= 0 && $0 < count ? $0 : nil }
    selection = row
    isSyncing = true
    graph.batch {
      put(.selectedIndex, row.map { .integer($0.number) } ?? .null)
      let object = row.flatMap { content?.row($0) } ?? .null
      put(.selectedObject, object)
      put(.selectedValue, key(of: object))
    }
    isSyncing = false
    selectionChanged()
    setNeedsDraw()
  }

  /// For subclasses: called when the selection has changed.
  func selectionChanged() {}

  /// Selects an item on behalf of the user.
  func choose(_ row: Int, _ key: Key?) {
    guard row >= 0, row < count else { return }
    if row == selection { return }
    guard beginsEdit(entering: title(row) + " ") else { return }
    select(row)
    send(
      Event(
        .valueChanged, sender: self, key: key, index: row, value: content?.row(row) ?? .null))
  }

  override func describe(_ description: inout ViewDescription) {
    followItems()
    description.titles = (0..<min(count, Self.followedTitles)).map(title)
    description.selected = selection
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .choose(let index) = action, index >= 0, index < count else { return false }
    choose(index, nil)
    return true
  }

  func followSelectedIndex() {
    if isSyncing { return }
    followItems()
    let row = wantedRow
    if row == selection { return }
    if let selecting = selectInController(row) { return select(selecting.rows.first) }
    if row == nil { select(nil) } else { adopt(row, of: .selectedIndex) }
  }

  func followSelectedObject() {
    if isSyncing { return }
    followItems()
    let object = peek(.selectedObject, as: Value.self)
    if let selection, content?.row(selection) == object { return }
    let row = row(of: object, in: content)
    if row != nil || object == .null, let selecting = selectInController(row) {
      return select(selecting.rows.first)
    }
    if object == .null {
      if selection != nil { select(nil) }
    } else {
      adopt(row, of: .selectedObject)
    }
  }

  func followSelectedValue() {
    if isSyncing { return }
    followItems()
    let value = peek(.selectedValue, as: Value.self)
    if let selection, let item = content?.row(selection), key(of: item) == value { return }
    if value == .null {
      if selection != nil { select(nil) }
    } else {
      adopt(row(ofKey: value, in: content), of: .selectedValue)
    }
  }

  /// Selects the row that a property names. If it does not exist, clears the other properties.
  private func adopt(_ row: Int?, of property: ViewProperty) {
    adopt(row)
    if selection != nil { return }
    isSyncing = true
    for other in [ViewProperty.selectedIndex, .selectedObject, .selectedValue]
    where other != property {
      put(other, .null)
    }
    isSyncing = false
    selectionChanged()
  }

  override func noteDeclared() {
    super.noteDeclared()
    followItems()
    declaredRow = selection
  }

  override func stateRestorer() -> (() -> Void)? {
    let (row, object) = (selection, peek(.selectedObject, as: Value.self))
    return { [weak self] in
      guard let self else { return }
      followItems()
      if selection != row, row.map({ self.content?.row($0) == object }) ?? true { select(row) }
    }
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? ChoosingView else { return }
    followItems()
    typed = old.typed
    if isChoiceBound {
      // A bound selection takes precedence, unless the binding has no value.
      if selection != nil { return }
    } else if declaredRow != old.declaredRow {
      return
    }
    let object = old.peek(.selectedObject, as: Value.self)
    let row = object == .null ? nil : graph.untracked { content?.index(of: object) }
    if let row = row ?? old.selection, row != selection { select(row) }
  }

  // MARK: Finding

  private var typed = ""

  /// Resets the type-ahead: the next character begins a new search.
  func endTyping() { typed = "" }

  /// The next item whose title begins with the typed text, including recently typed characters.
  func find(_ character: Character, from start: Int?) -> Int? {
    for text in [typed + String(character), String(character)] {
      // The same character again moves to the next match.
      let isAgain = text.count == 1
      if let found = index(beginningWith: text, from: (start ?? -1) + (isAgain ? 1 : 0)) {
        typed = text
        return found
      }
    }
    return nil
  }

  /// Limits the search in huge lists.
  private static let searchLimit = 100_000

  private func index(beginningWith text: String, from start: Int) -> Int? {
    let wanted = text.lowercased()
    let count = count
    guard count > 0 else { return nil }
    for step in 0..<min(count, Self.searchLimit) {
      let index = (max(0, start) + step) % count
      if title(index).lowercased().hasPrefix(wanted) { return index }
    }
    return nil
  }
}
