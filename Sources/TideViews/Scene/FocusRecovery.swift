import TideBindings
import TideGraph

/// The state needed to move the focus when the focused view can no longer have it.
///
/// A modal float takes the focus when it appears, and returns it when it closes. If the focused
/// view is hidden, disabled or removed, the focus moves to the next view in the tab order, or else
/// to the previous one. From a control in which a record was being edited, it moves to the superview
/// instead, since the next control may belong to another record. From a removed row, or a button or
/// toggle in it, it moves to the same position in the next row. All moves happen before a frame, in
/// `Scene.settleFocus`; until then changes are only recorded here.
struct FocusRecovery {
  /// A view that was hidden while it contained the focus.
  weak var hiddenView: View?
  /// The position of the removed view that had the focus.
  var gap: FocusGap?
  /// The modal floats that took the focus, outermost first.
  var modals: [ModalFocus] = []
  /// The position of the focus in a removed row.
  var row: RowFocus?
}

/// The position of the focus in a removed row, as a path of subview indexes.
struct RowFocus {
  /// The view of rows that the cell belonged to; nil for rows that are plain subviews.
  private(set) weak var rows: RowsView?
  /// For rows that a function makes as subviews: the remaining rows.
  private let siblings: [Sibling]
  private let row: Int
  private let path: [Int]
  private let viewClass: ViewClass

  private struct Sibling {
    weak var view: View?
  }

  init(at view: View, in cell: CellView, of rows: RowsView) {
    self.init(at: view, in: cell, row: cell.row)
    self.rows = rows
  }

  /// - Parameter siblings: the remaining rows.
  init(at view: View, in top: View, row: Int, among siblings: [View] = []) {
    self.row = row
    self.siblings = siblings.map { Sibling(view: $0) }
    viewClass = view.viewClass
    var path: [Int] = []
    var current = view
    while current !== top, let parent = current.parent {
      path.append(parent.index(of: current))
      current = parent
    }
    self.path = path.reversed()
  }

  /// The corresponding view in the next row, for rows that are plain subviews.
  var siblingSuccessor: View? {
    if siblings.isEmpty { return nil }
    return follow(siblings[min(row, siblings.count - 1)].view)
  }

  /// The corresponding view in the next row, or else in the last one.
  var successor: View? {
    guard let rows, rows.count > 0 else { return nil }
    let next = min(row, rows.count - 1)
    return follow(rows.cells.first { $0.row == next })
  }

  private func follow(_ top: View?) -> View? {
    var view = top
    for index in path {
      view = view.flatMap { $0.children.indices.contains(index) ? $0.children[index] : nil }
    }
    return view.flatMap { $0.viewClass.name == viewClass.name ? $0 : nil }
  }
}

/// A modal float, and the view that had the focus before it appeared.
struct ModalFocus {
  weak var float: View?
  weak var previous: View?
  /// The person who had that focus.
  weak var owner: ScenePerson?
  /// The person whom the float is shown to.
  var person: ScenePerson?
  /// The position of the previous view, if it has been removed.
  var gap: FocusGap?
  /// When the float appeared, in seconds of the app's clock; nil for an app without a clock.
  let since: Double?
  /// The previous focus of other people who have moved theirs into the float.
  private var others: [Former] = []

  private struct Former {
    let person: ScenePerson
    weak var view: View?
  }

  init(
    float: View, previous: View?, of owner: ScenePerson?, person: ScenePerson?, since: Double?
  ) {
    (self.float, self.previous, self.owner, self.person) = (float, previous, owner, person)
    self.since = since
  }

  /// The same state for the views that have replaced the old ones.
  func moved(to float: View, previous: View?) -> Self {
    var moved = self
    (moved.float, moved.previous) = (float, previous)
    return moved
  }

  /// Records the focus of another person before it moves into the float.
  mutating func note(_ person: ScenePerson) {
    if owner === person || others.contains(where: { $0.person === person }) { return }
    others.append(Former(person: person, view: person.focus))
  }

  /// The view that had a person's focus before the float; nil if unknown.
  func previous(of person: ScenePerson?) -> View? {
    if person == nil || owner == nil || owner === person { return previous }
    return others.first { $0.person === person }?.view
  }
}

/// The position of a lost focus: at an existing view, or between subviews.
struct FocusGap {
  private(set) weak var superview: View?
  /// The index of the subview after the gap; nil for a gap at `superview` itself.
  private let index: Int?
  /// The `order` of the view that had the focus.
  let order: Double?
  /// Whether a record was being edited there.
  let isOfEdit: Bool

  init(at view: View) {
    isOfEdit = view.isEditedIn
    superview = isOfEdit ? view.parent : view
    index = nil
    order = view.tabOrder
  }

  /// - Parameter isOfEdit: whether a record was edited in the view; nil to determine it from the
  ///   view.
  init(in superview: View, at index: Int, of view: View, isOfEdit: Bool? = nil) {
    self.superview = superview
    self.index = index
    order = view.tabOrder
    self.isOfEdit = isOfEdit ?? view.isEditedIn
  }

  /// The first view after the gap in the order of the tree.
  var next: View? {
    guard var superview, var index else { return superview }
    while true {
      if superview.children.indices.contains(index) { return superview.children[index] }
      guard let above = superview.parent else { return nil }
      index = above.index(of: superview) + 1
      superview = above
    }
  }
}

extension Scene {
  /// Called before a frame: moves the focus to a view that can have it.
  func settleFocus() {
    settleModals()
    if let focused, let hidden = focusRecovery.hiddenView, focused.isWithin(hidden) {
      focus(nil)
      focusRecovery.gap = nil
    }
    focusRecovery.hiddenView = nil
    if focused.map({ !canFocus($0) }) ?? (focusRecovery.gap != nil) {
      if let gap = focusRecovery.gap ?? focused.map({ FocusGap(at: $0) }) {
        let next = focusRecovery.row?.siblingSuccessor
        if let next, canFocus(next) { focus(next) } else { moveFocus(from: gap) }
      }
    }
    focusRecovery.gap = nil
    if let pending = focus.pending {
      focus.pending = nil
      pending.wantsFocus = false
      let next = focusRecovery.row.flatMap { $0.rows === pending ? $0.successor : nil }
      focus(next.flatMap { canFocus($0) ? $0 : nil } ?? pending)
    }
    focusRecovery.row = nil
    settleAutofocus()
  }

  private func settleModals() {
    if focusRecovery.modals.isEmpty && floats.shown.isEmpty { return }
    takeBackModals()
    for float in floats.shown where float.isModal {
      if focusRecovery.modals.contains(where: { $0.float === float }) { continue }
      let own = (float as? DialogView).flatMap { $0.person == nil ? nil : $0 }
      focusRecovery.modals.append(
        ModalFocus(
          float: float, previous: own == nil ? focused : own?.formerFocus,
          of: own?.person ?? focus.owner, person: own?.person, since: host.now?()))
      if let focused, canFocus(focused) { continue }
      if !floats.isForPerson(float) { continue }
      focus(autofocus(in: float) ?? focusOrder(in: float).first)
    }
  }

  /// Returns the focus from closed floats, innermost first. A float waits for modal floats within
  /// it, except for those of other people.
  private func takeBackModals() {
    var remaining: [ModalFocus] = []
    for (index, modal) in focusRecovery.modals.enumerated().reversed() {
      let isThere = modal.float.map { float in
        float.isModal && floats.shown.contains { $0 === float }
      }
      let isCovered = remaining.contains {
        $0.person == nil || modal.person == nil || $0.person === modal.person
      }
      if isThere == true || isCovered {
        remaining.append(modal)
        continue
      }
      focusRecovery.modals.remove(at: index)
      // The focus of another person stays in place.
      if modal.person == nil || person == nil || modal.person === person {
        giveFocusBack(after: modal)
      }
    }
  }

  /// Returns the focus to the previous view, or to the next view that can have it.
  private func giveFocusBack(after modal: ModalFocus) {
    if let focused, canFocus(focused) { return }
    let previous = modal.previous(of: person)
    if let previous, canFocus(previous) {
      focus(previous)
    } else if let gap = (previous === modal.previous ? modal.gap : nil)
      ?? previous.flatMap({ $0.scene === self ? FocusGap(at: $0) : nil })
    {
      moveFocus(from: gap)
    } else if previous != nil || focused != nil && previous === modal.previous {
      focus(focusOrder.first)
    } else {
      focus(nil)
    }
    focusRecovery.gap = nil
  }

  /// Records that a person's focus moves into a modal float, which will return it.
  func noteFocus(goingTo view: View?) {
    guard let person, let float = view.flatMap({ floats.float(of: $0) }) ?? floats.modal,
      let index = focusRecovery.modals.firstIndex(where: { $0.float === float })
    else { return }
    if person.focus?.isWithin(float) != true { focusRecovery.modals[index].note(person) }
  }

  /// Called before a view is removed: records the position of the focus if the view contains it.
  ///
  /// - Parameter isOfInputRow: whether the view is one of several rows with an input.
  func noteFocusGap(
    of view: View, in superview: View, at index: Int, isOfInputRow: Bool = false
  ) {
    if isSilent || superview === window { return }
    for (place, modal) in focusRecovery.modals.enumerated() {
      guard let previous = modal.previous, previous.isWithin(view) else { continue }
      focusRecovery.modals[place].gap = FocusGap(in: superview, at: index, of: previous)
    }
    guard let focused, focused.isWithin(view) else { return }
    focusRecovery.gap = FocusGap(
      in: superview, at: index, of: focused, isOfEdit: isOfInputRow ? true : nil)
  }

  /// Called when a view of rows hides a cell that contains the focus: the focus moves to the rows.
  func noteHidden(_ cell: View, of rows: View) {
    focusRecovery.hiddenView = cell
    if rows.flag(.focusable), focus.pending == nil { focus.pending = rows }
  }

  /// Called when the row of such a cell has been removed.
  func noteRemoved(_ cell: CellView, of rows: RowsView) {
    guard let focused, focused.isWithin(cell), !focused.isInput else { return }
    focusRecovery.row = RowFocus(at: focused, in: cell, of: rows)
  }

  /// Called before rows that a function made as subviews are removed: a focus in one of them moves
  /// to the next row, or the last one. An edit in progress does not continue in another row.
  func noteRows(_ gone: [View], of rows: [View], leaving remaining: [View]) {
    guard let focused, let index = rows.firstIndex(where: { focused.isWithin($0) }),
      gone.contains(where: { $0 === rows[index] })
    else { return }
    let staying = Set(remaining.map(ObjectIdentifier.init))
    let kept = rows.contains { staying.contains(ObjectIdentifier($0)) }
    let row = kept ? rows[..<index].count { staying.contains(ObjectIdentifier($0)) } : index
    focusRecovery.row = RowFocus(
      at: focused, in: rows[index], row: row, among: focused.isInput ? [] : remaining)
  }

  private func moveFocus(from gap: FocusGap) {
    if gap.isOfEdit {
      var container = gap.superview
      while let view = container, !canFocus(view) { container = view.parent }
      focus(container)
      return
    }
    guard let order = order(around: gap, in: floats.modal ?? window) else {
      focus(nil)
      return
    }
    focus(order.after.first ?? order.before.last)
  }

  /// The focusable views before and after a gap; nil if the superview of the gap has left the
  /// scene, too.
  private func order(around gap: FocusGap, in top: View) -> (before: [View], after: [View])? {
    guard let superview = gap.superview, superview.scene === self else { return nil }
    let mark = gap.next
    var stops: [View] = []
    var gapIndex: Int?
    var walk = TreeWalk(top)
    while let view = walk.next() {
      if view === mark { gapIndex = gapIndex ?? stops.count }
      if view.isOutOfUse {
        walk.skipSubviews(of: view)
        // The view after the gap may be within the skipped subtree.
        if let mark, mark !== view, mark.isWithin(view) {
          gapIndex = gapIndex ?? stops.count
        }
      } else if view.isFocusStop {
        stops.append(view)
      }
    }
    // The lost view preceded the view that now has its position in the tree.
    let lost = TabPosition(gap.order, gapIndex ?? stops.count)
    let positions = stops.enumerated().map { TabPosition($1.tabOrder, $0) }.sorted()
    return (
      positions.filter { $0 < lost }.map { stops[$0.index] },
      positions.filter { !($0 < lost) }.map { stops[$0.index] }
    )
  }
}

extension View {
  /// Whether its keys change a value. A press of a button or a toggle is complete at once.
  final var isInput: Bool {
    self is TextInputView || self is RangeView || self is ChoosingView
      || editsRecord && !(self is PressableView)
  }

  /// Whether the user is editing a record in it, key by key.
  fileprivate var isEditedIn: Bool { isInput && editsRecord }
}
