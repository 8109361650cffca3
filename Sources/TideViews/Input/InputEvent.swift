/// User input, as a renderer passes it to its scene.
///
/// ```swift
/// scene.send(.key(Key(.enter)))
/// scene.send(.paste("two words"))
/// ```
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Pasted text; a field replaces its line ends by spaces, a text area keeps them.
  case paste(String)
  /// The mouse was moved, pressed or scrolled.
  case mouse(MouseEvent)
  /// The screen was resized.
  case resize(Size)
}

/// A mouse event at a cell.
///
/// ```swift
/// let press = MouseEvent(.press(.left), at: Point(x: 3, y: 1))
/// ```
public struct MouseEvent: Hashable, Sendable {
  /// The kind of a mouse event.
  public enum Kind: Hashable, Sendable {
    /// A button was pressed.
    case press(Button)
    /// A button was released.
    case release(Button)
    /// The mouse was moved with a button held.
    case drag(Button)
    /// The mouse was moved with no button held; reported only while a view handles `hover`.
    case move
    /// The wheel was turned: rows to scroll down; negative scrolls up.
    case scroll(Int)
    /// Columns to scroll to the right; negative scrolls to the left.
    case scrollSideways(Int)
  }

  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The three supported buttons.
    case left, middle, right
  }

  /// The kind of the event.
  public var kind: Kind
  /// The cell under the mouse.
  public var position: Point
  /// The modifier keys held.
  public var modifiers: Key.Modifiers
  /// The number of clicks in succession that this event belongs to: 2 for a double click. See
  /// `ClickCounter`.
  public var clicks: Int

  /// Makes a mouse event at a cell.
  public init(_ kind: Kind, at position: Point, modifiers: Key.Modifiers = [], clicks: Int = 1) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
    self.clicks = clicks
  }
}

/// Counts presses of the mouse at one point in quick succession, for double and triple clicks.
///
/// ```swift
/// var counter = ClickCounter()
/// counter.count(press, at: 1.0).clicks    // 1
/// counter.count(press, at: 1.2).clicks    // 2
/// counter.count(press, at: 9.0).clicks    // 1
/// ```
///
/// It has no clock: its caller passes the time of each event, in seconds.
package struct ClickCounter {
  /// The maximum time between the two presses of a double click, in seconds.
  package static let interval = 0.5

  private var last: (event: MouseEvent, time: Double)?

  /// Makes a counter with no press yet.
  package init() {}

  /// Sets the click count of an event. An event that is not a press has the count of the last
  /// press.
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

extension InputEvent {
  /// Whether a mouse button is held after the event.
  var holdsButton: Bool {
    guard case .mouse(let mouse) = self else { return false }
    switch mouse.kind {
    case .press, .drag: return true
    case .release, .move, .scroll, .scrollSideways: return false
    }
  }

  /// Whether the event enters text into a field: typing, pasting, or Enter, which commits.
  var entersText: Bool {
    switch self {
    case .key(let key): key.isTyping || key == Key(.enter)
    case .paste: true
    case .mouse, .resize: false
    }
  }

  /// Whether the event completes a user action, with no mouse button held.
  var endsAct: Bool {
    switch self {
    case .key, .paste: return true
    case .resize: return false
    case .mouse(let mouse):
      switch mouse.kind {
      case .release, .scroll, .scrollSideways: return true
      case .press, .drag, .move: return false
      }
    }
  }
}

extension Key {
  /// Whether the key edits the text of a field by one character.
  var isTyping: Bool {
    text != nil || self == Key(.backspace) || self == Key(.delete)
  }
}
