import TideBindings
import TideGraph

/// Which views of a new version stand for which of the old one's, and what remains to be done when all
/// of them have taken over what was theirs.
final class Succession {
  private(set) var pairs: [(old: View, new: View)] = []
  private var heirs: [ObjectIdentifier: View] = [:]
  /// The cells in sight of the old version, with who is to show their rows.
  private var cells: [(rows: RowsView, cell: CellView)] = []
  private var endings: [() -> Void] = []
  private var edits: [PassedEdit] = []

  init(from old: View, to new: View) {
    pairTrees(old, new)
    for case let (old as RowsView, new as RowsView) in pairs {
      cells += old.cells.map { (new, $0) }
    }
  }

  private func pairTrees(_ old: View, _ new: View) {
    let known = pairs.count
    pair(old, with: new)
    let paired = Set(pairs[known...].map { ObjectIdentifier($0.new) })
    for pair in new.namesakes(of: old) where !paired.contains(ObjectIdentifier(pair.new)) {
      note(pair.old, pair.new)
    }
    pairEdited(old, new, known: known)
  }

  /// Of the views that have found nobody, those that a person is busy with go on as the one that is
  /// bound to the same, wherever the new version puts it and whatever it calls it.
  private func pairEdited(_ old: View, _ new: View, known: Int) {
    let table = BindingTable.of(new.graph)
    let formers = old.belowOutsideCells.filter { view in
      heirs[ObjectIdentifier(view)] == nil && (view.flag(.focused) || table.holdsEdit(at: view))
    }
    if formers.isEmpty { return }
    let paired = Set(pairs[known...].map { ObjectIdentifier($0.new) })
    let comers = new.belowOutsideCells.filter { !paired.contains(ObjectIdentifier($0)) }
    let found = table.heirs(of: formers, among: comers) { old, new in
      let (old, new) = (formers[old], comers[new])
      return old.viewClass.name == new.viewClass.name
        || old is TextInputView && new is TextInputView
    }
    for pair in found { note(formers[pair.old], comers[pair.new]) }
  }

  private func pair(_ old: View, with new: View) {
    var matched = [(old: old, new: new)]
    while let pair = matched.popLast() {
      guard pair.old.viewClass.name == pair.new.viewClass.name else { continue }
      note(pair.old, pair.new)
      matched.append(contentsOf: pair.new.successions(of: pair.old))
    }
  }

  private func note(_ old: View, _ new: View) {
    pairs.append((old, new))
    heirs[ObjectIdentifier(old)] = new
  }

  /// The view that stands for an old one.
  func heir(of old: View) -> View? { heirs[ObjectIdentifier(old)] }

  /// Adds what is to be done when the focus has moved, too.
  func atEnd(_ body: @escaping () -> Void) { endings.append(body) }

  /// Adds an edit that goes on then.
  func atEnd(_ edit: PassedEdit) { edits.append(edit) }

  func end() {
    for edit in edits.sorted(by: { $0.order < $1.order }) { edit.resume() }
    edits = []
    for ending in endings { ending() }
    endings = []
  }

  // MARK: Cells

  /// Whether there are cells to be taken over, which are made when all is laid out.
  var wantsCells: Bool { !cells.isEmpty }

  func passCells() {
    for (rows, old) in cells {
      guard let new = rows.cells.first(where: { $0.row == old.row }) else { continue }
      // Another row has come to stand there, and the one that stood there is elsewhere.
      if new.shownObject != old.shownObject, rows.content?.index(of: old.shownObject) != nil {
        continue
      }
      let known = pairs.count
      pairTrees(old, new)
      for pair in pairs[known...] { pair.new.takeState(of: pair.old, self) }
    }
    cells = []
  }
}

extension View {
  /// Which subviews stand for which of an older version's. Lists make their cells themselves.
  fileprivate func successions(of old: View) -> [(old: View, new: View)] {
    if viewClass.arrangement == nil && !(self is CellView) { return [] }
    let bound = boundSuccessions(of: old)
    if bound.isEmpty {
      var match = SiblingMatch(old.children)
      return match.pairs(with: children)
    }
    let paired = Set(bound.flatMap { [ObjectIdentifier($0.old), ObjectIdentifier($0.new)] })
    var match = SiblingMatch(old.children.filter { !paired.contains(ObjectIdentifier($0)) })
    return bound + match.pairs(with: children.filter { !paired.contains(ObjectIdentifier($0)) })
  }

  /// Of the subviews without id and key those that stand for others because they are bound to the same:
  /// what a person has typed belongs there, wherever the new version puts the field.
  private func boundSuccessions(of old: View) -> [(old: View, new: View)] {
    let formers = old.children.filter { !$0.isNamed }
    let comers = children.filter { !$0.isNamed }
    return BindingTable.of(graph).heirs(of: formers, among: comers) {
      formers[$0].viewClass.name == comers[$1].viewClass.name
    }.map { (formers[$0.old], comers[$0.new]) }
  }

  private var isNamed: Bool {
    peek(.id, as: String?.self) != nil || peek(.key, as: Value.self) != .null
  }

  /// Views with an id that moved to another superview.
  fileprivate func namesakes(of old: View) -> [(old: View, new: View)] {
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

  /// It and what is below it, but for the cells that lists make themselves.
  fileprivate var belowOutsideCells: [View] {
    var walk = TreeWalk(self)
    var found: [View] = []
    while let view = walk.next() {
      found.append(view)
      if view is RowsView { walk.skipSubviews(of: view) }
    }
    return found
  }

  /// Whether something other than a person says what a property holds.
  final func isBound(_ property: ViewProperty) -> Bool {
    guard let index = viewClass.index(of: property) else { return false }
    return !graph.dependencies(of: slot(index)).isEmpty
  }

  /// Holds in a property what the view that this one stands for holds there, unless the new version
  /// says something else than the old one did, or a binding does.
  ///
  /// - Parameter isDeclaredAlike: whether both versions have begun with the same; nil for a property
  ///   that is among `declaredProperties`.
  final func pass(
    _ property: ViewProperty, of old: View, ifDeclaredAlike isDeclaredAlike: Bool? = nil,
    _ succession: Succession
  ) {
    guard let index = viewClass.index(of: property),
      let oldIndex = old.viewClass.index(of: property)
    else { return }
    let (slot, former) = (slot(index), old.slot(oldIndex))
    let edit = BindingTable.of(graph).passEdit(
      from: former, to: slot,
      keepsUnbound: (isDeclaredAlike ?? declares(property, as: old)) && !isBound(property)
        && !old.isBound(property)
    ) { value in
      if value != slot.load() { put(property, value) }
    }
    if let edit { succession.atEnd(edit) }
  }
}
