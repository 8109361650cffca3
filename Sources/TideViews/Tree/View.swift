public import TideBindings
package import TideGraph

/// One element of the retained view tree: a data object with subviews and control events.
///
/// ```swift
/// let label = LabelView("Hello")
/// let column = try ViewClass.column.make([label, ButtonView("OK")])
/// label.superview === column    // true
/// column[.padding] = 1
/// ```
///
/// The structure of the tree is observable: reads of `superview`, `subviews` and `dataObject` are
/// tracked. A superview owns its subviews; a subview does not own its superview.
///
/// Trees may be very deep, so walks use an explicit stack instead of recursion.
public class View: DataObject {
  /// Its class, which defines its properties, events and drawing.
  public final let viewClass: ViewClass
  /// The subviews in order; `childrenVersion` and the list for scripts are updated after a change.
  final var children: [View] = []
  /// The value of `superview`, read without tracking.
  final var parent: View? {
    get { above?.takeUnretainedValue() }
    set { above = newValue.map { Unmanaged.passUnretained($0) } }
  }
  private final var above: Unmanaged<View>?
  /// The last known index of this view among its siblings.
  final var indexHint = 0
  /// The scene that contains the view.
  final var scene: Scene? {
    get { shownIn?.takeUnretainedValue() }
    set { shownIn = newValue.map { Unmanaged.passUnretained($0) } }
  }
  /// The scene as an unmanaged reference, for comparisons without reference counting.
  private final var shownIn: Unmanaged<Scene>?
  /// The number of superviews in its scene.
  final var depth = 0
  final var handlers: [EventHandler] = []
  final var keyHandlers: [KeyHandler] = []
  /// Receives events in addition to the handlers.
  public final weak var delegate: (any ViewDelegate)?
  final var inheritance = DataObjectInheritance()
  final var childrenVersion: Signal<Int>?
  final var layout = LayoutState()
  /// What the script declared when the view entered its first scene.
  final var declared = DeclaredState()
  /// Rarely used state; created on first use.
  final var extras: ViewExtras?
  /// Whether it requested the focus before it was shown.
  final var wantsFocus = false
  /// Whether a scene has shown it.
  final var wasShown = false
  /// Whether its handlers have received `willAppear` and no `didDisappear` since.
  final var hasAppeared = false

  /// For subclasses and the classes that make them. Other code calls `ViewClass.make()`, which
  /// knows the Swift class.
  package init(viewClass: ViewClass) {
    self.viewClass = viewClass
    super.init(shape: viewClass.shape)
  }

  deinit { releaseSubviews() }

  /// Whether a scene contains it.
  @inline(__always)
  final func isShown(in scene: Scene) -> Bool {
    shownIn?.toOpaque() == Unmanaged.passUnretained(scene).toOpaque()
  }

  /// Calls a function with the superview, if there is one, without reference counting.
  @inline(__always)
  final func withParent<Result>(_ body: (View) -> Result) -> Result? {
    above?._withUnsafeGuaranteedRef(body)
  }

  /// Calls a function with the scene, if there is one, without reference counting.
  @inline(__always)
  final func withScene(_ body: (Scene) -> Void) { shownIn?._withUnsafeGuaranteedRef(body) }

  // MARK: For subclasses

  /// Whether it accepts subviews; classes with a layout do.
  public var takesSubviews: Bool { viewClass.arrangement != nil }

  /// Whether it makes all its subviews itself, so that others cannot be added.
  var makesSubviews: Bool { false }

  /// The natural size of its own content, without padding.
  package func naturalSize() -> Size {
    viewClass.drawing?.naturalSize(self) ?? .zero
  }

  /// Whether its height depends on its width.
  public var wraps: Bool { false }

  /// The height of its own content for a width; called only if it wraps.
  package func naturalHeight(forWidth width: Int) -> Int { naturalSize().height }

  /// Draws its own content; subviews are drawn separately.
  package func draw(in canvas: Canvas) {
    viewClass.drawing?.draw(self, canvas)
  }

  /// The position of the text cursor while it has the focus, relative to its own top left corner.
  package var caret: Point? { nil }

  /// Handles a key; returns whether it did.
  package func handle(_ key: Key) -> Bool { false }

  /// Handles pasted text; returns whether it did.
  package func handlePaste(_ text: String) -> Bool { false }

  /// Handles a mouse event, with a position relative to its own top left corner; returns whether it
  /// did.
  package func handle(_ mouse: MouseEvent) -> Bool { false }

  /// Adds the class's derived content to a description for a renderer that shows properties.
  func describe(_ description: inout ViewDescription) {}

  /// Performs a user action on the whole view; returns false if the class does not support it.
  func perform(_ action: ViewAction) -> Bool { false }

  /// Called when it has gained or lost the focus.
  package func focusChanged(_ isFocused: Bool) {}

  /// Called when it has been removed from its scene.
  func leftScene() {}

  /// Called when a view below this one got the focus or lost it.
  ///
  /// - Parameter keepsSelection: whether a reload has moved the focus to a replacement, so that no
  ///   row is selected because of it.
  func focusWithinChanged(keepsSelection: Bool) {}

  /// Properties, in addition to `hidden`, that the user or a handler may change. A change is kept
  /// if a new version of the script declares the same value.
  var declaredProperties: [ViewProperty] { [] }

  /// Records the declared values of properties that the user or a handler may change.
  func noteDeclared() { declared.note(self) }

  /// Adopts the user's state from the view that this one replaces.
  func adoptState(of old: View, _ reconciliation: Reconciliation) {
    adopt(
      .hidden, of: old, ifDeclaredAlike: declared.isHidden == old.declared.isHidden, reconciliation)
  }

  /// Returns a function that restores the current state after a change of its inputs was rolled
  /// back; nil if no state can be lost.
  func stateRestorer() -> (() -> Void)? { nil }

  /// Adopts the focus from the view that this one replaces; no event is sent.
  func focusMoved(from old: View) {}

  /// Its open pop-up; nil for none.
  var openPopUps: OpenPopUps? { nil }

  /// Reopens the pop-up.
  func reopen(_ popUps: OpenPopUps) {}

  /// The minimum width of a class with subviews, such as for its title.
  var leastWidth: Int { 0 }

  /// Called before a frame if properties that determine the class's derived state have changed.
  func stateChanged() {}

  /// Arranges the subviews of a class without an `Arrangement`.
  func arrangeSubviews(in content: Rect, by layout: Layout) {}

  /// Whether views of the class float above the others.
  var isFloat: Bool { false }

  /// The rectangle of a float, in frame coordinates.
  func floatingRect(on screen: Rect, by layout: Layout) -> Rect { screen }

  /// The view that opened it, if it is a pop-up.
  var presenter: View? { nil }

  /// Whether it hides a subview that is not `hidden` itself, as tabs do.
  func hidesSubview(_ subview: View) -> Bool { false }

  /// Whether it is a stop in the tab order.
  var isFocusStop: Bool { flag(.focusable) }

  /// Scrolls by the smallest distance that makes an area of the frame visible.
  func reveal(_ area: Rect) {}
  /// Whether it can show a part of its content at any height, and scrolls to the rest.
  var scrolls: Bool { false }

  /// Applies the class's modifications to the style of a view.
  func decorated(_ style: CellStyle) -> CellStyle { style }

  /// Adds the memory of the view apart from its properties, such as pixels or edited text.
  package func addHeld(to meter: inout MemoryMeter) {}

  /// The id, which identifies the view in messages.
  public override var displayName: String? {
    let id = graph.untracked { text(.id) }
    return id.isEmpty ? nil : id
  }

  /// True: a view shows the errors of its bindings.
  open override var showsBindingErrors: Bool { true }

  /// Whether the view can have the focus.
  open override var takesEdits: Bool { graph.untracked { flag(.focusable) } }

  /// Stores the message in `error`; nil when the error is resolved.
  open override func showBindingError(_ message: String?) { showMessage(message) }

  /// Shows an error in `error`. If a rule is bound to `error`, its value is suppressed until the
  /// error is resolved.
  final func showMessage(_ message: String?) {
    let property = viewClass.index(of: .error)
    let rules = property.map { graph.dependencies(of: slot($0)) } ?? []
    if rules.isEmpty && extras?.heldMessage == nil {
      return put(.error, message.map { .string($0) } ?? .null)
    }
    ownExtras.heldMessage = message
    if message != nil, extras?.messageKeeper == nil {
      let keeper = PropertyObservers(graph)
      keeper.observe(.error, of: self) { [unowned self] in
        guard let held = extras?.heldMessage, text(.error) != held else { return }
        put(.error, .string(held))
      }
      ownExtras.messageKeeper = keeper
    }
    put(.error, message.map { .string($0) } ?? .null)
    guard message == nil else { return }
    ownExtras.messageKeeper = nil
    for rule in rules where graph.isEnabled(rule) { graph.fire(rule) }
  }
}
