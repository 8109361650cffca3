import TideBindings
import TideGraph

/// Where the focus goes when it cannot stay where it is.
///
/// A modal float that appears takes the focus into it, and gives it back when it goes. A view that
/// is hidden, disabled or taken out loses the focus to the next view in the order of Tab, else to
/// the one before; a field in which a record was being typed loses it to what contained it, since
/// the next field may be another record's. A row that is gone, or a button or toggle in it,
/// passes it to the next row, or the one there. All of that happens before a frame, in `Scene.settleFocus`: until then
/// changes are only noted here.
struct FocusRecovery {
  /// A view that went out of sight with the focus in it.
  weak var hiddenView: View?
  /// Where the focused view was that was taken out.
  var gap: FocusGap?
  /// The modal floats that took the focus, outermost first.
  var modals: [ModalFocus] = []
  /// Where the focus was in a row that is gone.
  var row: RowFocus?
}

/// Where the focus was in a row that is gone: the indexes of subviews that lead there.
struct RowFocus {
  /// The view whose cell the row was; nil for one of subviews.
  private(set) weak var rows: RowsView?
  /// The rows that a function gives as subviews, without the one that is gone.
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

  /// - Parameter siblings: the rows that remain.
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

  /// The same for a row among subviews.
  var siblingSuccessor: View? {
    if siblings.isEmpty { return nil }
    return follow(siblings[min(row, siblings.count - 1)].view)
  }

  /// The view at the same place in the row that follows, or else in the last one.
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
  /// The person whom the float is for.
  var person: ScenePerson?
  /// Where that view was, once it is taken out.
  var gap: FocusGap?
  /// The time at which it appeared, in seconds of the app's clock; nil for an app without one.
  let since: Double?
  /// The former focus of the other people whose focus the float has taken.
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

  /// The same record for views that have replaced the former ones.
  func moved(to float: View, previous: View?) -> Self {
    var moved = self
    (moved.float, moved.previous) = (float, previous)
    return moved
  }

  /// Notes that the focus of another person goes into the float.
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

/// Where the focus was that is lost: at a view that is still there, or between subviews.
struct FocusGap {
  private(set) weak var superview: View?
  /// The subview that came after it when it opened; nil for the gap at `superview` itself.
  private let index: Int?
  /// The `order` of the view that had the focus.
  let order: Double?
  /// A record was being typed there.
  let isOfTyping: Bool

  init(at view: View) {
    isOfTyping = view.isTypedIn
    superview = isOfTyping ? view.parent : view
    index = nil
    order = view.tabOrder
  }

  /// - Parameter isOfTyping: whether a record was typed in the view; nil where the view tells.
  init(in superview: View, at index: Int, of view: View, isOfTyping: Bool? = nil) {
    self.superview = superview
    self.index = index
    order = view.tabOrder
    self.isOfTyping = isOfTyping ?? view.isTypedIn
  }

  /// The first view that comes after the gap in the order of the tree.
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
  /// Before a frame: moves the focus to where it can be.
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

  /// Gives the focus back after floats that are gone, the innermost first. A float waits for modal
  /// floats within it, but not for floats of other people.
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
      // The focus of another person stays where it is.
      if modal.person == nil || person == nil || modal.person === person {
        giveFocusBack(after: modal)
      }
    }
  }

  /// The focus returns to the view that had it, or to the next one that can have it.
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

  /// Notes that a person's focus goes into a modal float, which will give it back to them.
  func noteFocus(goingTo view: View?) {
    guard let person, let float = view.flatMap({ floats.float(of: $0) }) ?? floats.modal,
      let index = focusRecovery.modals.firstIndex(where: { $0.float === float })
    else { return }
    if person.focus?.isWithin(float) != true { focusRecovery.modals[index].note(person) }
  }

  /// A view is being taken out; if the focus is in it, notes from where.
  ///
  /// - Parameter isOfInputRow: whether it is a row with an input among others.
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
      in: superview, at: index, of: focused, isOfTyping: isOfInputRow ? true : nil)
  }

  /// A view of rows puts a cell out of sight that has the focus in it: the focus goes to the rows.
  func noteHidden(_ cell: View, of rows: View) {
    focusRecovery.hiddenView = cell
    if rows.flag(.focusable), focus.pending == nil { focus.pending = rows }
  }

  /// The row of such a cell is gone for good.
  func noteRemoved(_ cell: CellView, of rows: RowsView) {
    guard let focused, focused.isWithin(cell), !(focused is TextInputView) else { return }
    focusRecovery.row = RowFocus(at: focused, in: cell, of: rows)
  }

  /// Rows that a function gives as subviews are about to go: the focus that is in one of them passes
  /// to the row that follows, or the last one. What was typed in it does not go on in another one.
  func noteRows(_ gone: [View], of rows: [View], leaving remaining: [View]) {
    guard let focused, let index = rows.firstIndex(where: { focused.isWithin($0) }),
      gone.contains(where: { $0 === rows[index] })
    else { return }
    let staying = Set(remaining.map(ObjectIdentifier.init))
    let kept = rows.contains { staying.contains(ObjectIdentifier($0)) }
    let row = kept ? rows[..<index].count { staying.contains(ObjectIdentifier($0)) } : index
    focusRecovery.row = RowFocus(
      at: focused, in: rows[index], row: row, among: focused is TextInputView ? [] : remaining)
  }

  private func moveFocus(from gap: FocusGap) {
    if gap.isOfTyping {
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

  /// What can have the focus before a gap in the tree and behind it; nil when the view around the
  /// gap has left, too.
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
        // The mark may be in what is left out.
        if let mark, mark !== view, mark.isWithin(view) {
          gapIndex = gapIndex ?? stops.count
        }
      } else if view.isFocusStop {
        stops.append(view)
      }
    }
    // The lost view was before what is there now at its place in the tree.
    let lost = TabPosition(gap.order, gapIndex ?? stops.count)
    let positions = stops.enumerated().map { TabPosition($1.tabOrder, $0) }.sorted()
    return (
      positions.filter { $0 < lost }.map { stops[$0.index] },
      positions.filter { !($0 < lost) }.map { stops[$0.index] }
    )
  }
}

extension View {
  /// Whether a person is typing a record in it.
  fileprivate var isTypedIn: Bool { self is TextInputView && editsRecord }
}
