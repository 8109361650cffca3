/// What a person did, as a renderer hands it to its scene.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// Text that arrived in one piece; a field takes it as it is, line ends become spaces.
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

  public init(_ kind: Kind, at position: Point, modifiers: Key.Modifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }
}
