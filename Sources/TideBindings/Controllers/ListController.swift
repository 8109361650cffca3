public import TideGraph

/// Stands between a list of models and views: filters, sorts, and manages the selection.
///
/// ```swift
/// let people = ListController(company.people)
/// people.sort = try .key("name")
/// people.filter = { person in person != .null }
/// people.selectionIndex = 0
/// try context.bind("selection.name <> text", people, field)
/// ```
///
/// `arrangedObjects` is always the same list. It follows edits of the content row by row; a change
/// of the filter or the order is one wave and one notification. The selection stays with its
/// objects when rows are inserted, removed and moved. Indexes count from 0; in properties that
/// scripts and bindings see, they count from 1.
///
/// Pending edits are committed before the selection is changed explicitly. If the model refuses
/// one, the selection stays.
///
/// While a user changes a row through a view, this row (`editedObject`) keeps its position and
/// stays selected: neither the filter nor the order applies to it. If `holdsEditedRow` is false,
/// they do.
///
/// Scripts and bindings see the properties of the same names, and those of `ObjectController`.
public class ListController: ObjectController {
  final let rows = RowSelection()
  /// The inputs of the latest arrangement of the rows.
  private final var arrangedBy = Inputs()
  /// The lists between the content and the arranged objects, in use.
  final var chain = Chain()

  struct Inputs: Equatable {
    var content: ObjectIdentifier?
    var filter: Value = .null
    var sort: Value = .null
    var round = 0
  }

  struct Chain {
    var content: ValueList?
    var filtered: FilteredList?
    var sorted: SortedList?
    var last: ValueList? { sorted ?? filtered ?? content }
  }

  /// Makes a controller of a list; nil for none yet.
  public convenience init(_ content: ValueList? = nil) {
    self.init(shape: Self.listShape)
    if let content { self.content = content }
  }

  /// Makes a controller of a typed list.
  public convenience init<Element>(_ content: ObservableList<Element>) {
    self.init(content.values)
  }

  override package init(shape: Shape) {
    super.init(shape: shape)
    let handle = ObjectHandle(self)
    let arranged = FollowingList(mergesMoves: true) {
      (handle.object as? ListController)?.arrange()
    }
    arranged.witness = rows
    arranged.controller = handle
    put("arrangedObjects", .object(arranged))
    let indexes = ComputedList {
      ((handle.object as? ListController)?.selectedRows.rows ?? []).map { .integer($0 + 1) }
    }
    selectionIndexList = indexes
    selectedObjectList = ComputedList {
      (handle.object as? ListController)?.selectedValues ?? []
    }
    graph.derive(slot(.state), by: StateBody(self))
    followState()
  }

  /// The lists behind `selectionIndexes` and `selectedObjects`.
  package internal(set) final var selectionIndexList: ComputedList?
  package internal(set) final var selectedObjectList: ComputedList?

  // MARK: Content

  /// The list that is arranged; nil counts as an empty one.
  public final var content: ValueList? {
    get { if case .object(let list as ValueList) = self["content"] { list } else { nil } }
    set { put("content", newValue.map { .object($0) } ?? .null) }
  }

  override func hasObject(_ matches: (Value) -> Bool) -> Bool {
    contentList()?.values.contains(where: matches) ?? false
  }

  /// The list whose rows are arranged. The read is recorded.
  func contentList() -> ValueList? { content }

  /// Inserts objects into the content at a position, or at its end. Makes a list if there is no
  /// content.
  func insertContent(_ objects: [Value], at position: Int?) throws {
    if let list = graph.untracked({ content }) {
      try list.insert(contentsOf: objects, at: position ?? list.count)
    } else {
      try set("content", .object(ValueList(objects)))
    }
  }

  /// Removes the objects at some positions from the content, in one change.
  func removeContent(_ positions: RowSet) throws {
    try graph.untracked({ content })?.remove(positions)
  }

  /// The rows as they are shown: filtered and sorted. It cannot be edited.
  public final var arrangedObjects: ValueList { arranged }

  final var arranged: FollowingList {
    if let index = shape.index(of: "arrangedObjects"),
      case .object(let list as FollowingList) = slot(index).load()
    {
      return list
    }
    return FollowingList { nil }
  }

  /// The order of the rows; nil for the content's order.
  public final var sort: Ordering? {
    get { try? Ordering(self["sort"], in: .of(graph)) }
    set { put("sort", newValue.map { .object(Arrangement(.order($0))) } ?? .null) }
  }

  /// The predicate for the rows that are shown; nil for all rows. Its reads are followed for each
  /// row.
  public final var filter: ((Value) throws -> Bool)? {
    get { try? passes(self["filter"]) }
    set { put("filter", newValue.map { .object(Arrangement(.filter($0))) } ?? .null) }
  }

  /// Filters and sorts again, for functions whose inputs cannot be followed.
  public final func rearrange() { bump(.arrangement) }

  // MARK: Arranging

  /// Returns the list that the arranged objects follow. Called while they are evaluated, so that
  /// all reads are recorded.
  private func arrange() -> ValueList? {
    let content = contentList()
    arranged.holdsEditedRows = self["holdsEditedRow"] == true
    Graph.trackRead(of: slot(.arrangement))
    let inputs = Inputs(
      content: content.map { ObjectIdentifier($0) }, filter: self["filter"], sort: self["sort"],
      round: Int.load(slot(.arrangement)))
    if inputs == arrangedBy { return chain.last }
    let old = arrangedBy
    arrangedBy = inputs
    let edits = BindingTable.of(graph).editedRecords
    rows.preserves = graph.untracked {
      self["preservesSelection"] == true || edits?.rows(heldBy: self) != nil
    }
    // A rebuild drops the selection even if no row moves.
    if !rows.preserves { arranged.rebuildNext() }
    if old.content != inputs.content { rows.forgetPurpose() }
    var next = Chain(content: content)
    do {
      if let content, let passes = try passes(inputs.filter) {
        next.filtered = FilteredList(content, passes)
      }
      if let list = next.last, let order = try Ordering(inputs.sort, in: .of(graph)) {
        next.sorted = order.sorted(list) as? SortedList
      }
    } catch {
      BindingTable.of(graph).list(error)
    }
    nameFailures(of: next)
    chain = next
    return next.last
  }

  /// Records reads of the arrangement's inputs. A new arrangement with the same rows in the same
  /// order does not change the list itself.
  private func trackArrangement() {
    _ = contentList()
    for property in ["filter", "sort"] { _ = self[property] }
    Graph.trackRead(of: slot(.arrangement))
  }

  /// Makes errors of the filter and sort functions name this controller.
  private func nameFailures(of chain: Chain) {
    let handle = ObjectHandle(self)
    func name(_ function: String) -> () -> String {
      {
        guard let controller = handle.object as? ListController else { return function }
        let name = BindingTable.of(controller.graph).hooks.nameOfObject?(controller)
        return "\(function) of \(name ?? controller.label)"
      }
    }
    chain.filtered?.nameFailures(name("filter"))
    chain.sorted?.nameFailures(name("sort"))
  }

  /// Converts the value of the property `filter` to a predicate; nil for all rows.
  final func passes(_ value: Value) throws -> ((Value) throws -> Bool)? {
    switch value {
    case .null: return nil
    case .object(let arrangement as Arrangement):
      if case .filter(let passes) = arrangement.kind { return passes }
    case .string(let text):
      let path = try RowPath(text, in: .of(graph)) { row in
        TideError(
          .wrongType,
          "the rows are filtered by their \(text), but one is \(row.typeAndPreviewPhrase)")
      }
      return { row in
        let found = try path.key(of: row)
        return !found.isNil && found != false
      }
    case .object(let object) where !(object is DataObject):
      if let closures = BindingTable.of(graph).hooks.rowFunctions?(object) {
        return closures.passes
      }
    default: break
    }
    throw TideError(
      .badArgument,
      "\(label): filter is a function of a row, the name of a property that is true, or nil; not"
        + " \(value.typeAndPreview)")
  }

  // MARK: Adding and removing

  /// Adds an object to the content, at its end.
  ///
  /// Like all methods that add or insert, this commits pending edits first, clears the filter if
  /// `clearsFilterOnInsertion` is true, and selects the new objects if `selectsInsertedObjects` is
  /// true.
  ///
  /// - Throws: `readOnly` when the controller or its content cannot be edited, and the error of a
  ///   pending edit that the model refuses.
  public override func add(_ object: Value) throws { try add([object]) }

  /// Removes the selected rows' objects from the content, and discards their pending edits.
  ///
  /// - Throws: `readOnly` when the controller or its content cannot be edited.
  public override func removeSelection() throws {
    try removeRows(graph.untracked { selectedRows })
  }

  /// Removes an object from the content. Returns false if it is not in the content.
  ///
  /// - Throws: `readOnly` when the controller or its content cannot be edited.
  @discardableResult
  public override func remove(_ object: Value) throws -> Bool { try removeObject(object) }

  // MARK: Reload

  override final func takeSelection(of former: Controller) -> Bool {
    guard let former = former as? ListController else { return true }
    if takeRecordEdits(of: former), arranged.holdRows(of: former.arranged) { bump(.arrangement) }
    let wanted = former.selectedRows
    arranged.beginReading()
    let count = arranged.storage.count
    if wanted.isEmpty {
      if former.rows.isEmptyOnPurpose { selectAgain(RowSet()) } else { rows.forgetPurpose() }
      takeHeldEdits(of: former)
      return true
    }
    if count == 0 { return false }
    let objects = former.selectedValues
    var found = (try? RowSelection.rows(of: objects, in: arranged.values)) ?? RowSet()
    // The former positions count if they hold the same values, or if all rows were made again and
    // are as many as before.
    let isSame = { [arranged] (row: Int, value: Value) in
      row < count && arranged.storage[row] == value
    }
    if zip(wanted.rows, objects).allSatisfy({ isSame($0, $1) })
      || found.isEmpty && count == former.arranged.storage.count
    {
      found = wanted
      found.clip(to: count)
    }
    if !found.isEmpty { selectAgain(found) }
    takeHeldEdits(of: former)
    return true
  }

  override final func selectionKeeper() -> () -> Void {
    let (wanted, objects) = graph.untracked { (selectedRows, selectedValues) }
    return { [weak self] in
      guard let self else { return }
      let (now, count) = graph.untracked { (selectedRows, arranged.storage.count) }
      if now == wanted || wanted.last.map({ $0 >= count }) ?? false { return }
      let isSame = zip(wanted.rows, objects).allSatisfy { arranged.storage[$0] == $1 }
      if isSame { selectAgain(wanted) }
    }
  }

  // MARK: Selection and permissions

  override package final var selectedValues: [Value] {
    selectedRows.rows.map { arranged.storage[$0] }
  }

  override package final func visitSelected(_ visit: (Value) throws -> Bool) rethrows {
    for run in selectedRows.runs {
      for row in run { guard try visit(arranged.storage[row]) else { return } }
    }
  }

  override final var prefersMarker: Bool { self["alwaysUsesMultipleValuesMarker"] == true }

  override var mayAdd: Bool { isEditable && contentList()?.isReadOnly != true }
  override var mayRemove: Bool { mayAdd && !selectedRows.isEmpty }

  private final class StateBody: ComputedBody {
    private unowned(unsafe) let controller: ListController

    init(_ controller: ListController) { self.controller = controller }

    override func evaluate(_ slot: Slot) throws -> Bool {
      let arranged = controller.arranged
      arranged.beginReading()
      Graph.trackRead(of: controller.slot(.command))
      if controller["preservesSelection"] == false { controller.trackArrangement() }
      let avoidsEmpty = controller["avoidsEmptySelection"] == true
      let isChanged = controller.rows.settle(
        rowCount: arranged.storage.count, avoidsEmpty: avoidsEmpty)
      if isChanged, let history = BindingTable.of(controller.graph).selectionHistory {
        let selected = controller.rows.rows
        history.note(controller, isNew: Int.load(slot) == 0, count: selected.count) { limit in
          selected.runs.lazy.flatMap { $0 }.prefix(limit).map { arranged.storage[$0] }
        }
      }
      return isChanged ? Int.store(Int.load(slot) &+ 1, in: slot) : false
    }
  }
}
