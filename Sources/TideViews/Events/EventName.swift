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

  /// Names an event of a custom class.
  public init(_ text: String) { self.text = text }
  /// Names an event by a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// Matches every event that reaches a view.
  public static let any: Self = "*"
  /// The view was added to a visible tree.
  public static let willAppear: Self = "willAppear"
  /// The view was removed from a visible tree.
  public static let didDisappear: Self = "didDisappear"
  /// The view gained the focus.
  public static let focus: Self = "focus"
  /// The view lost the focus.
  public static let blur: Self = "blur"
  /// A key that the view itself did not handle.
  public static let key: Self = "key"
  /// The left mouse button was pressed and released over the view.
  public static let click: Self = "click"
  /// The second click in quick succession.
  public static let doubleClick: Self = "doubleClick"
  /// The mouse moved over the view, or has left it.
  public static let hover: Self = "hover"
  /// A context menu was requested; handlers may change `contextMenu` before it opens.
  public static let willShowContextMenu: Self = "willShowContextMenu"
  /// The user asked to close a window or dialog.
  public static let close: Self = "close"
  /// A button was pressed.
  public static let touchUpInside: Self = "touchUpInside"
  /// The user changed a value or a selection.
  public static let valueChanged: Self = "valueChanged"
  /// The user began to edit text.
  public static let editingDidBegin: Self = "editingDidBegin"
  /// The user changed text.
  public static let editingChanged: Self = "editingChanged"
  /// Editing ended and the text was committed.
  public static let editingDidEnd: Self = "editingDidEnd"
  /// A form was submitted and all its fields are valid.
  public static let submit: Self = "submit"
  /// Editing was ended with Enter.
  public static let editingDidEndOnExit: Self = "editingDidEndOnExit"
  /// A row, a cell or an item of a menu was chosen.
  public static let didSelect: Self = "didSelect"
  /// A cell is about to show a row.
  public static let willDisplay: Self = "willDisplay"
  /// A cell no longer shows its row.
  public static let didEndDisplaying: Self = "didEndDisplaying"

  /// Whether the event reports a state rather than an act. A handler has to receive every such
  /// event, even while an earlier call of it still waits.
  package var isOfState: Bool { Self.ofState.contains(self) }

  private static let ofState: Set<Self> = [
    willAppear, didDisappear, focus, blur, hover, willShowContextMenu, valueChanged,
    editingDidBegin, editingChanged, editingDidEnd, editingDidEndOnExit, didSelect, willDisplay,
    didEndDisplaying, "didExpand", "didCollapse", "sort",
  ]

  // The events of all classes: a view also receives those that its subviews do not handle.
  private static let known = Guarded<Set<String>>(["*"])

  /// Whether it is an event of the mouse. Mouse events bubble up to the enclosing float and stop
  /// there.
  var isOfMouse: Bool { self == .click || self == .doubleClick || self == .hover }

  static func note(_ events: [String]) {
    known.withLock { $0.formUnion(events) }
  }

  /// Throws `unknownEvent` with the nearest name if no class sends the event.
  func check(for view: View) throws(TideError) {
    // A view without subviews receives only its own events.
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
