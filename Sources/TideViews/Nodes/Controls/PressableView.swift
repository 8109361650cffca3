import TideBindings

/// What a button and a toggle have in common: Enter, Space and a click press them, which is a mouse
/// button that goes down on the view and comes up on it.
public class PressableView: View {
  /// Whether a mouse button that went down on it is held over it.
  private(set) var isPressed = false

  /// For subclasses: does what they are for.
  ///
  /// - Parameter key: nil for the mouse.
  func press(_ key: Key?) {}

  /// For subclasses: a mouse button went down on it.
  func pressBegan() {}

  override func perform(_ action: ViewAction) -> Bool {
    guard case .press = action else { return false }
    press(nil)
    return true
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? PressableView { isPressed = old.isPressed }
  }

  package override func handle(_ key: Key) -> Bool {
    guard key == Key(.enter) || key == Key(.space) else { return false }
    press(key)
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      isPressed = true
      pressBegan()
    case .drag(.left): isPressed = contains(mouse.position)
    case .release(.left):
      isPressed = false
      if contains(mouse.position) { press(nil) }
    default: return false
    }
    setNeedsDraw()
    return true
  }
}
