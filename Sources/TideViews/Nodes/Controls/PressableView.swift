import TideBindings

/// The base class of buttons and toggles, which are pressed by Enter, Space and a click: a mouse
/// button pressed and released over the view.
public class PressableView: View {
  /// Whether a mouse button was pressed on the view and is still held over it.
  private(set) var isPressed = false

  /// For subclasses: performs the action.
  ///
  /// - Parameter key: nil for the mouse.
  func press(_ key: Key?) {}

  /// For subclasses: a mouse button was pressed on the view.
  func pressBegan() {}

  override func perform(_ action: ViewAction) -> Bool {
    guard case .press = action else { return false }
    pressUnlessLate(nil)
    return true
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? PressableView { isPressed = old.isPressed }
  }

  package override func handle(_ key: Key) -> Bool {
    guard key == Key(.enter) || key == Key(.space) else { return false }
    pressUnlessLate(key)
    return true
  }

  /// Presses the control, unless its row was removed in this turn. The user is then notified.
  private func pressUnlessLate(_ key: Key?) {
    // An edit that is in progress notifies the user itself.
    if let scene, !editsRecord, isOfRemovedRow { return scene.refusePress(of: callName) }
    press(key)
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      isPressed = true
      pressBegan()
    case .drag(.left): isPressed = contains(mouse.position)
    case .release(.left):
      isPressed = false
      if contains(mouse.position) { pressUnlessLate(nil) }
    default: return false
    }
    setNeedsDraw()
    return true
  }
}
