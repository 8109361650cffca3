/// What a person did, as a renderer hands it to its scene.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// Text that arrived in one piece; a field makes spaces of its line ends, a text area keeps them.
  case paste(String)
  case mouse(MouseEvent)
  case resize(Size)
}

/// What the mouse did, and at which cell.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case press(Button)
    case release(Button)
    /// Moved with a button held.
    case drag(Button)
    /// Rows to go down; negative goes up.
    case scroll(Int)
  }

  public enum Button: Hashable, Sendable {
    case left, middle, right
  }

  public var kind: Kind
  public var position: Point
  public var modifiers: Key.Modifiers
  /// How many presses in a row this is the last of: 2 for a double click. See `ClickCounter`.
  public var clicks: Int

  public init(_ kind: Kind, at position: Point, modifiers: Key.Modifiers = [], clicks: Int = 1) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
    self.clicks = clicks
  }
}
