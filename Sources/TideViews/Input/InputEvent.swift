/// What a person did, as a renderer hands it to its scene.
///
/// ```swift
/// scene.send(.key(Key(.enter)))
/// scene.send(.paste("two words"))
/// ```
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text that arrived in one piece; a field makes spaces of its line ends, a text area keeps them.
  case paste(String)
  /// The mouse was moved, pressed or turned.
  case mouse(MouseEvent)
  /// The screen has another size.
  case resize(Size)
}

/// What the mouse did, and at which cell.
///
/// ```swift
/// let press = MouseEvent(.press(.left), at: Point(x: 3, y: 1))
/// ```
public struct MouseEvent: Hashable, Sendable {
  /// What the mouse did.
  public enum Kind: Hashable, Sendable {
    /// A button went down.
    case press(Button)
    /// A button went up.
    case release(Button)
    /// Moved with a button held.
    case drag(Button)
    /// Moved with no button held; renderers report it while a view listens to `hover`.
    case move
    /// Rows to go down; negative goes up.
    case scroll(Int)
    /// Columns to go right; negative goes left.
    case scrollSideways(Int)
  }

  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The button of this name.
    case left, middle, right
  }

  /// What the mouse did.
  public var kind: Kind
  /// The cell at which it did that.
  public var position: Point
  /// The keys that were held meanwhile.
  public var modifiers: Key.Modifiers
  /// How many presses in a row this is the last of: 2 for a double click. See `ClickCounter`.
  public var clicks: Int

  /// Describes what the mouse did at a cell.
  public init(_ kind: Kind, at position: Point, modifiers: Key.Modifiers = [], clicks: Int = 1) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
    self.clicks = clicks
  }
}

/// Counts presses of the mouse at one point in quick succession: double and triple clicks.
///
/// ```swift
/// var counter = ClickCounter()
/// counter.count(press, at: 1.0).clicks    // 1
/// counter.count(press, at: 1.2).clicks    // 2
/// counter.count(press, at: 9.0).clicks    // 1
/// ```
///
/// It has no clock: its caller says when an event came, in seconds.
package struct ClickCounter {
  /// The longest time between two presses of one double click, in seconds.
  package static let interval = 0.5

  private var last: (event: MouseEvent, time: Double)?

  /// Starts with no press.
  package init() {}

  /// The event with its number of clicks. What is no press has those of the press before it.
  package mutating func count(_ event: MouseEvent, at time: Double) -> MouseEvent {
    var event = event
    event.clicks = 1
    guard case .press = event.kind else {
      if let last { event.clicks = last.event.clicks }
      if case .drag = event.kind { last?.time = -.infinity }
      return event
    }
    if let last, last.event.kind == event.kind, last.event.position == event.position,
      time >= last.time, time - last.time <= Self.interval
    {
      event.clicks = last.event.clicks + 1
    }
    last = (event, time)
    return event
  }
}
