import TideBindings
import TideGraph
import TideSystem
import TideViews

/// The view tree as pages have it. Each view has a number, and the state that was sent last is
/// stored, so that only changes are sent.
///
///     changed views ──describe──▶ properties and subviews ──compare──▶ operations
///
/// It belongs to the owner of the views.
final class PageTree {
  private var elements: [ObjectIdentifier: PageElement] = [:]
  private var byID: [Int: PageElement] = [:]
  /// Controls, cells, lists and tables, by number.
  private(set) var followed: [Int: PageElement] = [:]
  var dialogs: [Int: PageElement] = [:]
  /// The row objects of the latest removed cells.
  private var departed: [(cell: Int, objects: ShownHistory<RowObject>)] = []
  /// The latest removed fields for secrets.
  private var departedSecrets: [Int] = []
  /// The elements that were removed in this update; their views may be added elsewhere.
  private var leaving: [ObjectIdentifier: PageElement] = [:]
  /// The number of the current frame. It increases when anything changes that a person can act on.
  private(set) var frame = 0
  private var isTouched = false
  private var classes: [ObjectIdentifier: PageClass] = [:]
  private var lastID = 0
  /// Returns a picture by the name of its file.
  var picture: (String) -> (any ShownPicture)? = { _ in nil }
  /// Returns an object's identity, which is the same in other runs of the app.
  var identity: (DataObject) -> String? = { _ in nil }
  /// Views that have replaced others since pages were last sent changes.
  private var replacements: [View] = []
  /// The window, and dialogs outside of the view tree.
  var tops: [PageElement] = []

  private static let mostClasses = 500
  private static let mostDeparted = 500

  /// The root element, above the window.
  static let rootID = 0

  /// The view with a number; nil if it was removed.
  func view(_ id: Int) -> View? { element(id)?.view }

  func id(of view: View) -> Int? { known(view)?.id }

  func element(_ id: Int) -> PageElement? { byID[id] }

  /// Whether pages have had a view with a number that was removed.
  func hasLost(_ id: Int) -> Bool { id > Self.rootID && id <= lastID && byID[id] == nil }

  /// A property as it was sent, in JSON; an empty string if it has its default, nil if the view was
  /// removed.
  func property(_ name: String, of id: Int) -> String? {
    guard let element = byID[id] else { return nil }
    return element.properties[name] ?? "\"\""
  }

  /// All views that pages have, by number, in the order in which they were added.
  var views: [(id: Int, view: View)] {
    byID.sorted { $0.key < $1.key }.compactMap { id, element in element.view.map { (id, $0) } }
  }

  /// The number of views that pages have.
  var count: Int { byID.count }

  // MARK: Frames

  /// The number of the frame that will contain the current changes.
  var nextFrame: Int { frame + 1 }

  /// Makes the next changes belong to a new frame.
  func touch() { isTouched = true }

  /// Ends the frame: later changes belong to another one.
  func endFrame() {
    if isTouched { frame += 1 }
    isTouched = false
  }

  /// Records what a control and its row show now, for the next frame.
  func follow(_ element: PageElement) {
    if let cell = element.cell { follow(cell) }
    if element.isFollowed {
      element.followContent(in: nextFrame, fully: true)
      followDraft(of: element)
    }
  }

  /// Records what all controls and cells show. Returns the views whose changed content must be
  /// sent.
  private func followAll() -> [View] {
    for cell in followed.values where cell.isCell { cell.followContent(in: nextFrame) }
    for control in followed.values where !control.isCell {
      control.followContent(in: nextFrame)
      followDraft(of: control)
    }
    let stale = followed.values.filter(\.isStale)
    if stale.isEmpty { return [] }
    touch()
    for element in stale { element.isStale = false }
    return stale.filter { !$0.isCell }.sorted { $0.id < $1.id }.compactMap(\.view)
  }

  /// The object that a cell showed in a frame; nil if unknown.
  func object(ofCell id: Int, in frame: Int) -> RowObject? {
    let objects = byID[id]?.objects ?? departed.last { $0.cell == id }?.objects
    return objects?[frame]
  }

  /// Whether text in a field, which may have been removed, is secret.
  func isSecret(_ id: Int) -> Bool {
    element(id)?.isSecret ?? departedSecrets.contains(id)
  }

  // MARK: Changes

  /// Adopts changes and writes them as operations; writes nothing that pages would not see.
  func update(
    _ scene: Scene, _ changed: [View], isWhole: Bool, _ operations: inout PageOperations
  ) {
    var arrived: Set<Int> = []
    var others: [View] = []
    // Scripts may have to compute the record of a control.
    scene.withinBudget { others = followAll() }
    updateOwners(&operations)
    updateTops(scene, &arrived, &operations)
    let views = isWhole ? byID.values.compactMap(\.view) : replacements + changed + others
    replacements = []
    defer {
      leaving = [:]
      endFrame()
    }
    for view in views {
      guard let element = known(view), !arrived.contains(element.id) else { continue }
      let description = view.describe()
      send(element.update(properties(of: view, element, description)), of: element, &operations)
      updateChildren(of: element, description, &arrived, &operations)
    }
  }

  /// Moves the elements of views to the views that replace them. Pages keep the elements, with the
  /// text that was typed there.
  func replace(_ pairs: [(old: View, new: View)]) {
    for (old, new) in pairs {
      guard let element = known(old), known(new) == nil else { continue }
      let pageClass = pageClass(of: new)
      if pageClass.name != element.pageClass.name { continue }
      elements[ObjectIdentifier(old)] = nil
      elements[ObjectIdentifier(new)] = element
      element.show(new, pageClass)
      replacements.append(new)
    }
  }

  /// The whole tree, as an operation for a person's pages.
  func writeWhole(for reader: ScenePerson?, _ wire: inout WireText) {
    wire.array {
      $0.string("tree")
      $0.array {
        $0.number(Self.rootID)
        $0.string("root")
        $0.object { _ in }
        $0.array { wire in for top in tops { write(.element(top), for: reader, &wire) } }
      }
    }
  }

  private func updateTops(
    _ scene: Scene, _ arrived: inout Set<Int>, _ operations: inout PageOperations
  ) {
    let wanted = [scene.window] + scene.presented.reversed()
    if tops.count == wanted.count, zip(tops, wanted).allSatisfy({ $0.view === $1 }) { return }
    for top in tops where !wanted.contains(where: { $0 === top.view }) {
      remove(top, &operations)
    }
    var new: [PageElement] = []
    for (index, view) in wanted.enumerated() {
      if let element = known(view) {
        new.append(element)
      } else {
        let element = make(view, &arrived, &operations)
        add(element, to: nil, at: index, &operations)
        new.append(element)
      }
    }
    tops = new
  }

  private func updateChildren(
    of element: PageElement, _ description: ViewDescription, _ arrived: inout Set<Int>,
    _ operations: inout PageOperations
  ) {
    if let rows = description.rows {
      return updateRows(of: element, rows, &arrived, &operations)
    }
    let wanted = description.subviews
    let before = element.children
    if before.count == wanted.count, zip(before, wanted).allSatisfy({ $0.view === $1 }) { return }
    let kept = Set(wanted.map { ObjectIdentifier($0) })
    var order: [PageElement] = []
    for child in before {
      if let view = child.view, kept.contains(ObjectIdentifier(view)) {
        order.append(child)
      } else {
        remove(child, &operations)
      }
    }
    for (index, view) in wanted.enumerated() {
      if index < order.count, order[index].view === view { continue }
      if let position = order.firstIndex(where: { $0.view === view }) {
        let child = order.remove(at: position)
        order.insert(child, at: index)
        operations.write(to: element) { _, wire in
          wire.array {
            $0.string("move")
            $0.number(child.id)
            $0.number(index)
          }
        }
      } else {
        let child = make(view, &arrived, &operations)
        order.insert(child, at: index)
        add(child, to: element, at: index, &operations)
      }
    }
    element.setChildren(order)
  }

  /// Cells are sent together when the cells or their rows have changed.
  private func updateRows(
    of element: PageElement, _ rows: ViewDescription.Rows, _ arrived: inout Set<Int>,
    _ operations: inout PageOperations
  ) {
    let before = element.children
    var cells: [PageElement] = []
    for view in rows.cells { cells.append(known(view) ?? make(view, &arrived, &operations)) }
    let kept = Set(cells.map(\.id))
    for cell in before where !kept.contains(cell.id) { forget(cell) }
    element.setChildren(cells)
    let new = PageElement.Rows(
      count: rows.count,
      cells: zip(rows.cells, cells).map { view, cell in
        .init(row: Self.row(of: view), element: cell.id)
      })
    guard element.rows != new else { return }
    let former = element.rows ?? PageElement.Rows()
    element.setRows(new)
    let difference = RowDifference(former, new)
    let cellsByID = Dictionary(uniqueKeysWithValues: cells.map { ($0.id, $0) })
    var changes: [(element: PageElement, properties: [(name: String, json: String)])] = []
    var placed: [Part] = []
    for place in difference.placed {
      guard let cell = cellsByID[place.element] else { continue }
      let others = arrived.contains(cell.id) ? [] : self.changes(in: cell)
      if arrived.contains(cell.id) || (!others.isEmpty && cell.holdsTextsAlone) {
        placed.append(.cell(row: place.row, cell))
      } else {
        placed.append(.json("[\(place.row),\(cell.id)]"))
        changes += others
      }
    }
    operations.write(to: element) { reader, wire in
      wire.array { wire in
        wire.number(element.id)
        wire.number(new.count)
        wire.array { wire in
          for shift in difference.shifts {
            wire.number(shift.from)
            wire.number(shift.by)
          }
        }
        wire.array { wire in for part in placed { write(part, for: reader, &wire) } }
        for id in difference.dropped { wire.number(id) }
      }
    }
    for (element, properties) in changes { send(properties, of: element, &operations) }
  }

  /// The changed properties of the views in a cell that shows another row. Labels are sent together
  /// with the cell's row.
  private func changes(
    in cell: PageElement
  ) -> [(element: PageElement, properties: [(name: String, json: String)])] {
    cell.children.compactMap { child in
      guard let view = child.view else { return nil }
      let changed = child.update(properties(of: view, child, view.describe()))
      return changed.isEmpty ? nil : (child, changed)
    }
  }

  private static func row(of cell: View) -> Int { (cell[ViewKey<Int?>("index")] ?? 1) - 1 }

  /// - Parameter parent: nil for a top-level element.
  private func add(
    _ element: PageElement, to parent: PageElement?, at index: Int,
    _ operations: inout PageOperations
  ) {
    operations.write(to: parent) { reader, wire in
      writeAddition(element, to: parent?.id ?? Self.rootID, at: index, for: reader, &wire)
    }
  }

  func writeAddition(
    _ element: PageElement, to parent: Int, at index: Int, for reader: ScenePerson?,
    _ wire: inout WireText
  ) {
    wire.array { wire in
      wire.string("add")
      wire.number(parent)
      wire.number(index)
      write(.element(element), for: reader, &wire)
    }
  }

  private func remove(_ element: PageElement, _ operations: inout PageOperations) {
    operations.write(to: element.parent) { _, wire in writeRemoval(element, &wire) }
    forget(element)
  }

  func writeRemoval(_ element: PageElement, _ wire: inout WireText) {
    wire.array {
      $0.string("remove")
      $0.number(element.id)
    }
  }

  private func forget(_ top: PageElement) {
    var rest = [top]
    while let element = rest.popLast() {
      rest += element.children
      byID[element.id] = nil
      dialogs[element.id] = nil
      if element.isSecret { departedSecrets.append(element.id) }
      if let view = element.view { leaving[ObjectIdentifier(view)] = element }
      if followed.removeValue(forKey: element.id) != nil, element.objects.present != nil {
        departed.append((element.id, element.objects))
      }
      if let view = element.view, elements[ObjectIdentifier(view)] === element {
        elements[ObjectIdentifier(view)] = nil
      }
    }
    if departedSecrets.count > Self.mostDeparted {
      departedSecrets.removeFirst(departedSecrets.count - Self.mostDeparted)
    }
    if departed.count > Self.mostDeparted {
      departed.removeFirst(departed.count - Self.mostDeparted)
    }
  }

  // MARK: Elements

  private func known(_ view: View) -> PageElement? {
    guard let element = elements[ObjectIdentifier(view)], element.view === view else { return nil }
    return element
  }

  /// Creates elements for a view and all views below it.
  private func make(
    _ top: View, _ arrived: inout Set<Int>, _ operations: inout PageOperations
  ) -> PageElement {
    let first = makeAlone(top, &operations)
    var rest = [first]
    while let element = rest.popLast() {
      guard let view = element.view else { continue }
      arrived.insert(element.id)
      let description = view.describe()
      if element.isFollowed {
        element.followContent(in: nextFrame)
        element.isStale = false
        touch()
      }
      _ = element.update(properties(of: view, element, description))
      // Pages are sent the whole text.
      _ = element.takeTextDifference()
      if let owner = element.owner { operations.setApart(owner) }
      let subviews = description.rows?.cells ?? description.subviews
      element.setChildren(subviews.map { makeAlone($0, &operations) })
      if let rows = description.rows {
        element.setRows(
          PageElement.Rows(
            count: rows.count,
            cells: zip(rows.cells, element.children).map { view, cell in
              .init(row: Self.row(of: view), element: cell.id)
            }))
      }
      rest += element.children
    }
    return first
  }

  private func pageClass(of view: View) -> PageClass {
    let key = ObjectIdentifier(view.viewClass)
    if let known = classes[key] { return known }
    // Scripts declare classes again with each reload.
    if classes.count >= Self.mostClasses { classes = [:] }
    let made = PageClass(view.viewClass)
    classes[key] = made
    return made
  }

  /// Returns the element of a view that is added. A moved view keeps its element and its number, so
  /// a page keeps its control, with the typed text and the focus.
  private func makeAlone(_ view: View, _ operations: inout PageOperations) -> PageElement {
    if let former = known(view) {
      remove(former, &operations)
      if let parent = former.parent {
        parent.setChildren(parent.children.filter { $0 !== former })
      }
    }
    let former = leaving.removeValue(forKey: ObjectIdentifier(view)).flatMap {
      $0.view === view ? $0 : nil
    }
    let element = former ?? makeNew(view)
    element.parent = nil
    elements[ObjectIdentifier(view)] = element
    byID[element.id] = element
    if element.isFollowed { followed[element.id] = element }
    if view is DialogView {
      element.owner = element.presentOwner
      dialogs[element.id] = element
    }
    return element
  }

  private func makeNew(_ view: View) -> PageElement {
    lastID += 1
    return PageElement(lastID, view, pageClass(of: view))
  }
}
