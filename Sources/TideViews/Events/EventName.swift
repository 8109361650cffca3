import TideBindings
import TideGraph

/// The name of a control event, as in `.touchUpInside`.
public struct EventName: Hashable, Sendable, ExpressibleByStringLiteral {
  public let text: String

  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.text = text }

  /// Hears every event that comes to a view.
  public static let any: Self = "*"
  public static let willAppear: Self = "willAppear"
  public static let didDisappear: Self = "didDisappear"
  public static let focus: Self = "focus"
  public static let blur: Self = "blur"
  public static let key: Self = "key"
  public static let close: Self = "close"
  public static let touchUpInside: Self = "touchUpInside"
  public static let valueChanged: Self = "valueChanged"
  public static let editingDidBegin: Self = "editingDidBegin"
  public static let editingChanged: Self = "editingChanged"
  public static let editingDidEnd: Self = "editingDidEnd"
  public static let editingDidEndOnExit: Self = "editingDidEndOnExit"
  public static let didSelect: Self = "didSelect"
  public static let willDisplay: Self = "willDisplay"
  public static let didEndDisplaying: Self = "didEndDisplaying"

  // Every event of every class: a view also hears those that its subviews leave to it.
  private static let known = Guarded<Set<String>>(["*"])

  static func note(_ events: [String]) {
    known.withLock { $0.formUnion(events) }
  }

  /// Throws `unknownEvent` with the nearest name when no class sends such an event.
  func check(for view: View) throws(TideError) {
    // A view without subviews hears its own events alone.
    let known = view.takesSubviews ? Self.known.withLock { $0 } : Set(view.viewClass.events + ["*"])
    if known.contains(text) { return }
    let near =
      NearestName.find(text, in: view.viewClass.events)
      ?? NearestName.find(text, in: known, areOrdered: false)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
    throw TideError(
      .unknownEvent, "\(view.viewClass.name) has no event \"\(text.inMessage)\"\(hint)")
  }
}

extension EventName: CustomStringConvertible {
  public var description: String { text }
}
