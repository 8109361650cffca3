import TideBindings
import TideGraph

/// The mapping from old views to the new views that replace them, and the steps that remain after
/// all new views have adopted the old state.
final class Reconciliation {
  private(set) var pairs: [(old: View, new: View)] = []
  private var replacements: [ObjectIdentifier: View] = [:]
  /// The visible cells of the old version, each with the new view of rows.
  private var pendingCells: [(rows: RowsView, cell: CellView)] = []
  private var finalSteps: [() -> Void] = []
  private var edits: [PassedEdit] = []

  /// The views that have the focus of a person other than the scene's.
  private let focused: Set<ObjectIdentifier>

  /// - Parameter focused: the views that have the focus of people other than the scene's.
  init(from old: View, to new: View, focused: [View]) {
    self.focused = Set(focused.map { ObjectIdentifier($0) })
    pairTrees(old, new)
    for case let (old as RowsView, new as RowsView) in pairs {
      pendingCells += old.cells.map { (new, $0) }
    }
  }

  private func pairTrees(_ old: View, _ new: View) {
    let known = pairs.count
    pair(old, with: new)
    let paired = Set(pairs[known...].map { ObjectIdentifier($0.new) })
    for pair in new.pairsByID(with: old) where !paired.contains(ObjectIdentifier(pair.new)) {
      add(pair.old, pair.new)
    }
    pairEdited(old, new, known: known)
  }

  /// Pairs old views that a person is using and that have no replacement yet: with the new view of
  /// the same key, or else with the one that has the same bindings, regardless of its position and
  /// id.
  private func pairEdited(_ old: View, _ new: View, known: Int) {
    let table = BindingTable.of(new.graph)
    var oldViews = old.belowOutsideCells.filter { view in
      replacements[ObjectIdentifier(view)] == nil
        && (view.flag(.focused) || focused.contains(ObjectIdentifier(view))
          || table.holdsEdit(at: view))
    }
    if oldViews.isEmpty { return }
    let paired = Set(pairs[known...].map { ObjectIdentifier($0.new) })
    var newViews = new.belowOutsideCells.filter { !paired.contains(ObjectIdentifier($0)) }
    oldViews.removeAll { view in
      guard let found = newViews.only(withKeyOf: view),
        old.belowOutsideCells.only(withKeyOf: view) === view
      else { return false }
      newViews.removeAll { $0 === found }
      add(view, found)
      return true
    }
    let found = table.successors(of: oldViews, among: newViews) { old, new in
      let (old, new) = (oldViews[old], newViews[new])
      return old.viewClass.name == new.viewClass.name
        || old is TextInputView && new is TextInputView
    }
    for pair in found { add(oldViews[pair.old], newViews[pair.new]) }
  }

  private func pair(_ old: View, with new: View) {
    var matched = [(old: old, new: new)]
    while let pair = matched.popLast() {
      guard pair.old.viewClass.name == pair.new.viewClass.name else { continue }
      add(pair.old, pair.new)
      matched.append(contentsOf: pair.new.subviewPairs(with: pair.old))
    }
  }

  private func add(_ old: View, _ new: View) {
    pairs.append((old, new))
    replacements[ObjectIdentifier(old)] = new
  }

  /// The view that replaces an old one.
  func replacement(of old: View) -> View? { replacements[ObjectIdentifier(old)] }

  /// Adds a step to run after the focus has moved.
  func atEnd(_ step: @escaping () -> Void) { finalSteps.append(step) }

  /// Adds an edit to resume at that time.
  func atEnd(_ edit: PassedEdit) { edits.append(edit) }

  func finish() {
    for edit in edits.sorted(by: { $0.order < $1.order }) { edit.resume() }
    edits = []
    for step in finalSteps { step() }
    finalSteps = []
  }

  // MARK: Cells

  /// Whether cells remain whose state must be adopted; the new cells exist only after the layout.
  var hasPendingCells: Bool { !pendingCells.isEmpty }

  func adoptCells() {
    for (rows, old) in pendingCells {
      guard let new = rows.cells.first(where: { $0.row == old.row }) else { continue }
      // The cell now shows another row, and its former row still exists elsewhere.
      if new.shownObject != old.shownObject, rows.content?.index(of: old.shownObject) != nil {
        continue
      }
      let known = pairs.count
      pairTrees(old, new)
      for pair in pairs[known...] { pair.new.adoptState(of: pair.old, self) }
    }
    pendingCells = []
  }
}

extension [View] {
  /// The only view with the class and key of a given one; nil if that has no key, or if several
  /// views match.
  fileprivate func only(withKeyOf view: View) -> View? {
    let key = view.peek(.key, as: Value.self)
    if key == .null { return nil }
    let found = filter {
      $0.viewClass.name == view.viewClass.name && $0.peek(.key, as: Value.self) == key
    }
    return found.count == 1 ? found.first : nil
  }
}

extension View {
  /// Matches subviews with those of an old view. Views of rows make their own cells, which are
  /// matched later.
  fileprivate func subviewPairs(with old: View) -> [(old: View, new: View)] {
    if viewClass.arrangement == nil && !(self is CellView) { return [] }
    // The content of a plain cell comes from its row, so there is no state to transfer.
    if [self, old].contains(where: { ($0 as? CellView)?.isPlain == true }) { return [] }
    let bound = pairsByBinding(with: old)
    if bound.isEmpty {
      var match = SiblingMatch(old.children)
      return match.pairs(with: children)
    }
    let paired = Set(bound.flatMap { [ObjectIdentifier($0.old), ObjectIdentifier($0.new)] })
    var match = SiblingMatch(old.children.filter { !paired.contains(ObjectIdentifier($0)) })
    return bound + match.pairs(with: children.filter { !paired.contains(ObjectIdentifier($0)) })
  }

  /// Matches subviews without id and key by their bindings: typed text belongs to the bound
  /// property, wherever the new version places the field.
  private func pairsByBinding(with old: View) -> [(old: View, new: View)] {
    let oldViews = old.children.filter { !$0.isNamed }
    let newViews = children.filter { !$0.isNamed }
    return BindingTable.of(graph).successors(of: oldViews, among: newViews) {
      oldViews[$0].viewClass.name == newViews[$1].viewClass.name
    }.map { (oldViews[$0.old], newViews[$0.new]) }
  }

  private var isNamed: Bool {
    peek(.id, as: String?.self) != nil || peek(.key, as: Value.self) != .null
  }

  /// Matches views with the same id anywhere in the tree.
  fileprivate func pairsByID(with old: View) -> [(old: View, new: View)] {
    var known: [String: View] = [:]
    for view in TreeWalk(old) {
      if let id = view.peek(.id, as: String?.self), known[id] == nil { known[id] = view }
    }
    if known.isEmpty { return [] }
    return TreeWalk(self).compactMap { view in
      guard let id = view.peek(.id, as: String?.self), let old = known[id],
        old.viewClass.name == view.viewClass.name
      else { return nil }
      return (old, view)
    }
  }

  /// The view and its descendants, except for the cells of views of rows.
  fileprivate var belowOutsideCells: [View] {
    var walk = TreeWalk(self)
    var found: [View] = []
    while let view = walk.next() {
      found.append(view)
      if view is RowsView { walk.skipSubviews(of: view) }
    }
    return found
  }

  /// Whether a binding sets the property.
  final func isBound(_ property: ViewProperty) -> Bool {
    guard let index = viewClass.index(of: property) else { return false }
    return !graph.dependencies(of: slot(index)).isEmpty
  }

  /// Copies a property from the replaced view, unless the new version declares another value or
  /// binds the property.
  ///
  /// - Parameter isDeclaredAlike: whether both versions declare the same value; nil for a property
  ///   in `declaredProperties`.
  final func adopt(
    _ property: ViewProperty, of old: View, ifDeclaredAlike isDeclaredAlike: Bool? = nil,
    _ reconciliation: Reconciliation
  ) {
    guard let index = viewClass.index(of: property),
      let oldIndex = old.viewClass.index(of: property)
    else { return }
    let (slot, oldSlot) = (slot(index), old.slot(oldIndex))
    let edit = BindingTable.of(graph).passEdit(
      from: oldSlot, to: slot,
      keepsUnbound: (isDeclaredAlike ?? declares(property, as: old)) && !isBound(property)
        && !old.isBound(property)
    ) { value in
      if value != slot.load() { put(property, value) }
    }
    if let edit { reconciliation.atEnd(edit) }
  }
}
