public import TideGraph

/// An event of a view, as passed to its handlers.
///
/// ```swift
/// let isTaken = button.send(Event(.touchUpInside, sender: button))
/// ```
public struct Event {
  /// The name of the event.
  public let name: EventName
  /// The view that sent the event. It differs from the view that handles it if the event bubbled
  /// up.
  public let sender: View
  /// The key of a `key` event, or the key that caused another event.
  public var key: Key?
  /// The index of the row, from 0, in the events of a list. Scripts count from 1.
  public var index: Int?
  /// The destination of the row, from 0, in an event that requests a move.
  public var target: Int?
  /// The object of the row, or the new value.
  public var value: Value = .null
  /// The cell of the row.
  public var cell: View?
  /// The mouse position in cells, relative to the top left corner of the sender; nil in events that
  /// the mouse did not cause.
  public var position: Point?
  /// The modifier keys held while the mouse button was pressed.
  public var modifiers: Key.Modifiers = []
  /// In a `hover` event: whether the mouse is over the view. It is false once, when the mouse
  /// leaves.
  public var isInside: Bool?

  /// Makes an event of a view; the index counts from 0.
  public init(
    _ name: EventName, sender: View, key: Key? = nil, index: Int? = nil, value: Value = .null,
    cell: View? = nil
  ) {
    self.name = name
    self.sender = sender
    self.key = key
    self.index = index
    self.value = value
    self.cell = cell
  }
}

/// A function that handles an event of a view until it is cancelled or the view is deallocated.
///
/// ```swift
/// let handler = try button.on(.touchUpInside) { view, event in person.age += 1 }
/// handler.cancel()
/// ```
///
/// The view owns the handler: the caller needs a reference only to cancel it.
public final class EventHandler {
  let name: EventName
  private weak var view: View?
  private(set) var body: Body?
  /// Whether events reach the handler; while false it is skipped.
  public var isEnabled = true

  /// Returns true if the event is handled and false if it is not. For nil the default applies: an
  /// event counts as handled, a key does not.
  typealias Body = (View, Event) throws -> Bool?

  init(_ name: EventName, of view: View, _ body: @escaping Body) {
    self.name = name
    self.view = view
    self.body = body
  }

  /// Whether the handler has not been cancelled.
  public var isAlive: Bool { body != nil }

  /// Cancels the handler; further calls have no effect.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    view?.forget(self)
  }
}

/// A function that handles a key of a view.
///
/// ```swift
/// let handler = view.onKey(Key(.enter)) { view, event in true }
/// handler.cancel()
/// ```
///
/// The view owns the handler: the caller needs a reference only to cancel it.
public final class KeyHandler {
  let key: Key
  private weak var view: View?
  private(set) var body: ((View, Event) throws -> Bool?)?
  /// Whether it handles its key; if not, the key goes to the next view.
  public var isEnabled = true
  /// The title in lists of keys; nil leaves the handler out of them.
  package var title: String?
  /// Whether it belongs to the view's `keys`, which are replaced together.
  package var isOfTable = false

  init(_ key: Key, of view: View, _ body: @escaping (View, Event) throws -> Bool?) {
    self.key = key
    self.view = view
    self.body = body
  }

  /// Cancels the handler; further calls have no effect.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    view?.forget(self)
  }
}

/// Receives all events of a view in one place, like a script's table of handlers. It receives
/// `hover` only while some view of the scene has a handler for that event.
///
/// ```swift
/// final class Log: ViewDelegate {
///   func handles(_ name: EventName, of view: View) -> Bool { name == .touchUpInside }
///   func handle(_ event: Event, at view: View) -> Bool? {
///     print(event.name)
///     return nil
///   }
/// }
/// let log = Log()
/// button.delegate = log   // not retained
/// ```
public protocol ViewDelegate: AnyObject {
  /// Whether the delegate handles the event.
  func handles(_ name: EventName, of view: View) -> Bool
  /// Handles the event. Returns true if it is handled, false if not, nil for the default.
  ///
  /// - Throws: why the handler failed; the scene receives the error as that of a handler.
  func handle(_ event: Event, at view: View) throws -> Bool?
}
