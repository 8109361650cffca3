import TideBindings
import TideGraph

/// A mouse button held on a button or a toggle of a record. The control acts at the release, when
/// the record may be gone.
struct HeldPress {
  private let view: PressableView

  /// Nil for a view that has no record, or acts when it is pressed.
  init?(_ view: View) {
    guard let view = view as? PressableView, view.rowCell != nil || !view.passage.records.isEmpty
    else { return nil }
    self.view = view
  }

  /// The control, if the mouse is still over it and it was removed from the scene.
  func removedView(in scene: Scene) -> View? {
    view.isPressed && view.scene !== scene ? view : nil
  }
}

/// The rows that a context menu acts on, to detect that they have changed before an item is chosen.
struct MenuRows {
  private weak var rows: RowsView?
  private let chosen: [Value]
  private let count: Int

  /// More rows than this are not compared one by one.
  private static let most = 64

  /// Nil for a menu that is not in a view of rows.
  init?(around owner: View) {
    guard let rows = (owner as? RowsView) ?? owner.rowCell?.parent as? RowsView else { return nil }
    self.rows = rows
    (chosen, count) = Self.selection(of: rows)
  }

  /// Whether the rows are still selected.
  var areSame: Bool {
    guard let rows else { return false }
    let (objects, count) = Self.selection(of: rows)
    return count == self.count && objects == chosen
  }

  private static func selection(of rows: RowsView) -> (objects: [Value], count: Int) {
    rows.followItems()
    rows.followEdits()
    let selected = rows.selectedRows
    let objects = rows.graph.untracked {
      selected.rows.prefix(most).map { rows.content?.row($0) ?? .null }
    }
    return (objects, selected.count)
  }
}

extension Scene {
  /// Notifies the user if the pressed control was removed before the release.
  func endHeldPress() {
    let held = input.heldPress
    input.heldPress = nil
    // A reload replaces views, and passes the press on.
    if input.pressed?.scene === self { return }
    if let view = held?.removedView(in: self) { refusePress(of: view.callName) }
  }

  /// Notifies the user that a press came after the record of its control was removed or replaced,
  /// and lists it.
  func refusePress(of control: String) {
    noteLatePress(of: control)
    tell("Something else is there by now, so that nothing was done.", actor ?? user)
  }

  /// Lists a press that came after the record of its control was removed or replaced.
  ///
  /// - Parameter view: the control; nil if it was removed with its record.
  package func noteLatePress(of view: View?) { noteLatePress(of: view?.callName ?? "a control") }

  private func noteLatePress(of control: String) {
    BindingTable.of(graph).recordsToEdit.refuse(pressOf: control)
  }

  /// Lists text that was entered after the record of its control was removed or replaced.
  ///
  /// - Parameters:
  ///   - view: the control; nil if it was removed with its record.
  ///   - former: the part of the text that was listed before.
  package func noteLateEntry(_ text: String, in view: View?, continuing former: String?) {
    let control = view?.callName ?? "a field"
    BindingTable.of(graph).recordsToEdit.refuse(text, of: control, continuing: former)
  }
}

extension View {
  /// Whether it is in a row that was removed since the last frame.
  package final var isOfRemovedRow: Bool {
    guard let cell = rowCell, let rows = cell.parent as? RowsView else { return false }
    return rows.presentRow(of: cell) == nil
  }
}
