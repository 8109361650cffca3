import TideBindings
import TideGraph
import TideValues

/// The name of a control event, as in `.touchUpInside`.
///
/// ```swift
/// let saved: EventName = "saved"
/// ```
public struct EventName: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name as scripts write it.
  public let text: String

  /// Names an event of a class of one's own.
  public init(_ text: String) { self.text = text }
  /// Names an event by a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// Hears every event that comes to a view.
  public static let any: Self = "*"
  /// The view comes into a tree that is shown.
  public static let willAppear: Self = "willAppear"
  /// The view was taken out of a tree that is shown.
  public static let didDisappear: Self = "didDisappear"
  /// The view got the focus.
  public static let focus: Self = "focus"
  /// The view lost the focus.
  public static let blur: Self = "blur"
  /// A key that the view itself had no use for.
  public static let key: Self = "key"
  /// The left button of the mouse was pressed and released at the view.
  public static let click: Self = "click"
  /// It was the second click in quick succession.
  public static let doubleClick: Self = "doubleClick"
  /// The mouse moved over the view, or has left it.
  public static let hover: Self = "hover"
  /// A context menu is asked for; handlers may change `contextMenu` before it shows.
  public static let willShowContextMenu: Self = "willShowContextMenu"
  /// A person wants a window or dialog closed.
  public static let close: Self = "close"
  /// A button was pressed.
  public static let touchUpInside: Self = "touchUpInside"
  /// A person changed a value or a choice.
  public static let valueChanged: Self = "valueChanged"
  /// A person began to edit text.
  public static let editingDidBegin: Self = "editingDidBegin"
  /// A person changed text.
  public static let editingChanged: Self = "editingChanged"
  /// Editing has ended, and the text is entered.
  public static let editingDidEnd: Self = "editingDidEnd"
  /// A form is submitted, and all is right in it.
  public static let submit: Self = "submit"
  /// Editing has ended by Enter.
  public static let editingDidEndOnExit: Self = "editingDidEndOnExit"
  /// A row, a cell or an item of a menu was chosen.
  public static let didSelect: Self = "didSelect"
  /// A cell is about to show a row.
  public static let willDisplay: Self = "willDisplay"
  /// A cell shows its row no longer.
  public static let didEndDisplaying: Self = "didEndDisplaying"

  /// Whether the event reports a state rather than an act. A handler has to receive every such
  /// event, even while an earlier call of it still waits.
  package var isOfState: Bool { Self.ofState.contains(self) }

  private static let ofState: Set<Self> = [
    willAppear, didDisappear, focus, blur, hover, willShowContextMenu, valueChanged,
    editingDidBegin, editingChanged, editingDidEnd, editingDidEndOnExit, didSelect, willDisplay,
    didEndDisplaying, "didExpand", "didCollapse", "sort",
  ]

  // Every event of every class: a view also hears those that its subviews leave to it.
  private static let known = Guarded<Set<String>>(["*"])

  /// Whether it tells of the mouse, which happens to what shows at its place and to nothing around
  /// a float.
  var isOfMouse: Bool { self == .click || self == .doubleClick || self == .hover }

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
    let hint =
      near.map { "; did you mean \"\($0)\"?" }
      ?? NearestName.hintOrNames(for: text, in: view.viewClass.events)
    throw TideError(
      .unknownEvent, "\(view.viewClass.name) has no event \"\(text.inMessage)\"\(hint)")
  }
}

extension EventName: CustomStringConvertible {
  /// The name as scripts write it.
  public var description: String { text }
}
