import TideBindings
package import TideGraph

/// What a picker and a radio group have in common: `items` of which one is chosen, by
/// `selectedIndex` or `selectedObject`.
///
/// ```swift
/// for name in ["picker", "radio"] {
///   let choice = try ViewClasses().make(name)
///   choice[.items] = .object(ValueList(["red", "green"]))
/// }
/// ```
///
/// Items are texts, or objects that go by their `title`, `name` or `text`. The properties of the
/// choice follow each other; an object that is not among the items yet is waited for, and one whose
/// item is taken out is no longer chosen. Two items with the same `key` are the same. Other items
/// never write the model that is bound to the choice: they show `missing` while none of them is what
/// the model has, and the choice as soon as one is. What a person chooses sends `valueChanged`, with the item
/// and its index.
public class ChoosingView: View, ItemChoice {
  private(set) var content: ListFollowing?
  private(set) var shownItems: Value = .null
  /// What is chosen.
  private(set) var selection: Int?
  /// What was chosen at first.
  private var declaredRow: Int?
  let observers: PropertyObservers
  /// What makes two items the same, where a function says it.
  package final var keyOfItem: ((_ item: Value) throws -> Value)?
  private var isSyncing = false
  private var titleEffect: Effect?
  /// Whether the titles have changed since the last frame.
  private var areTitlesStale = false

  /// Titles of so many items are followed.
  private static let followedTitles = 200

  package override init(viewClass: ViewClass) {
    observers = PropertyObservers(.current)
    super.init(viewClass: viewClass)
    observeChoice()
  }

  var count: Int { content?.count ?? 0 }

  /// The row that `selectedIndex` asks for, whether there is one or not.
  private var wantedRow: Int? {
    peek(.selectedIndex, as: Int?.self).map { max($0.position, -1) }
  }

  func title(_ index: Int) -> String {
    graph.untracked { content.map { RowTitle.of($0.row(index)) } ?? "" }
  }

  /// Has the next frame follow the titles of the items. They are read once, however often they
  /// change before it.
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

  /// Takes over another list in `items`.
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

  /// For subclasses: the items are others.
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

  /// Shows the choice among other items than before: at a row, or where the model has it. The model
  /// is not written, unless it knows the choice by an index that has moved.
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

  /// What shows while nothing is chosen.
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

  /// Shows a choice that the properties ask for; what is not among the items may come yet.
  private func adopt(_ row: Int?) {
    if let row, row >= 0, row < count {
      select(row)
    } else {
      selection = nil
      setNeedsDraw()
    }
  }

  /// Sets both properties to an item; nil for none.
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

  /// For subclasses: another item is chosen.
  func selectionChanged() {}

  /// Chooses an item as a person does.
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

  /// Selects what a property asks for, and clears the other properties where that is not there.
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
      // What is bound says it, unless it has nothing to say.
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

  /// Ends the word that is being typed: the next character begins anew.
  func endTyping() { typed = "" }

  /// The next item whose title begins with what has been typed, a character ago included.
  func find(_ character: Character, from start: Int?) -> Int? {
    for text in [typed + String(character), String(character)] {
      // The same character again goes on to the next.
      let isAgain = text.count == 1
      if let found = index(beginningWith: text, from: (start ?? -1) + (isAgain ? 1 : 0)) {
        typed = text
        return found
      }
    }
    return nil
  }

  /// A search of a huge list ends somewhere.
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
