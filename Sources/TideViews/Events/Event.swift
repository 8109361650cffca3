public import TideGraph

/// Something that happened to a view, as its handlers see it.
///
/// ```swift
/// let isTaken = button.send(Event(.touchUpInside, sender: button))
/// ```
public struct Event {
  /// What happened.
  public let name: EventName
  /// The view that it happened to, which is not the one whose handler runs when the event went up.
  public let sender: View
  /// The key, for the event `key` and where a key caused it.
  public var key: Key?
  /// The row, from 0, of a list's event. Scripts count from 1.
  public var index: Int?
  /// Where the row is to be, from 0, in an event that asks for it to be moved.
  public var target: Int?
  /// The row's object, or the new value.
  public var value: Value = .null
  /// The cell that shows the row.
  public var cell: View?
  /// Where the mouse is, in cells from the top left corner of the sender; nil in events that have
  /// nothing to do with the mouse.
  public var position: Point?
  /// What was held while a button of the mouse was pressed.
  public var modifiers: Key.Modifiers = []
  /// Of the event `hover`: whether the mouse is over the view, which is false once, when it leaves.
  public var isInside: Bool?

  /// Describes something that happened in a view; the index counts from 0.
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

/// A function that runs on an event of a view, until it is cancelled or the view is gone.
///
/// ```swift
/// let handler = try button.on(.touchUpInside) { view, event in person.age += 1 }
/// handler.cancel()
/// ```
///
/// The view keeps it: whoever made it needs a reference only in order to cancel it.
public final class EventHandler {
  let name: EventName
  private weak var view: View?
  private(set) var body: Body?
  /// While false, events pass by as if it were not there.
  public var isEnabled = true

  /// Gives true when the event is taken, false when it is not, nil to leave it to the rule: an
  /// event counts as taken, a key does not.
  typealias Body = (View, Event) throws -> Bool?

  init(_ name: EventName, of view: View, _ body: @escaping Body) {
    self.name = name
    self.view = view
    self.body = body
  }

  /// Whether it is still called.
  public var isAlive: Bool { body != nil }

  /// Ends it; harmless when it has ended.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    view?.forget(self)
  }
}

/// A function that runs on a key that arrives at a view.
///
/// ```swift
/// let handler = view.onKey(Key(.enter)) { view, event in true }
/// handler.cancel()
/// ```
///
/// The view keeps it: whoever made it needs a reference only in order to cancel it.
public final class KeyHandler {
  let key: Key
  private weak var view: View?
  private(set) var body: ((View, Event) throws -> Bool?)?
  /// Whether it takes its key; without that, the key goes on to the next view.
  public var isEnabled = true
  /// What it is called where people see which keys there are; nil keeps it out of there.
  package var title: String?
  /// It is one of the view's `keys`, which others take the place of together.
  package var isOfTable = false

  init(_ key: Key, of view: View, _ body: @escaping (View, Event) throws -> Bool?) {
    self.key = key
    self.view = view
    self.body = body
  }

  /// Ends it; once it has ended nothing happens.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    view?.forget(self)
  }
}

/// Hears all events of a view in one place, as a script's table of handlers does; of `hover` only
/// while some view of the scene has a handler of that event.
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
/// button.delegate = log   // which does not keep it
/// ```
public protocol ViewDelegate: AnyObject {
  /// Whether there is a function for that event.
  func handles(_ name: EventName, of view: View) -> Bool
  /// Runs it. Gives what a handler gives: true for taken, false for not, nil for the rule.
  ///
  /// - Throws: what went wrong, which goes to the scene as the error of a handler.
  func handle(_ event: Event, at view: View) throws -> Bool?
}
