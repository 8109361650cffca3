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
/// The tree's structure is observable: reads of `superview`, `subviews` and `dataObject` are
/// recorded. A superview owns its subviews, never the other way round.
///
/// Trees may be very deep, so walks use an explicit stack instead of recursion.
public class View: DataObject {
  /// Its class: its properties, its events and how it is drawn.
  public final let viewClass: ViewClass
  /// The subviews in order; `childrenVersion` and the list for scripts follow.
  final var children: [View] = []
  /// The same as the slot `superview`, readable without recording.
  final var parent: View? {
    get { above?.takeUnretainedValue() }
    set { above = newValue.map { Unmanaged.passUnretained($0) } }
  }
  private final var above: Unmanaged<View>?
  /// The index of this view among its superview's subviews when it was looked for last.
  final var indexHint = 0
  /// The scene that shows it.
  final var scene: Scene? {
    get { shownIn?.takeUnretainedValue() }
    set { shownIn = newValue.map { Unmanaged.passUnretained($0) } }
  }
  /// The same, for comparisons, which need no reference counted.
  private final var shownIn: Unmanaged<Scene>?
  /// How many views are above this one in its scene.
  final var depth = 0
  final var handlers: [EventHandler] = []
  final var keyHandlers: [KeyHandler] = []
  /// Receives events beside the handlers.
  public final weak var delegate: (any ViewDelegate)?
  final var inheritance = DataObjectInheritance()
  final var childrenVersion: Signal<Int>?
  final var layout = LayoutState()
  /// What the script declared when the view entered its first scene.
  final var declared = DeclaredState()
  /// What few views have; made when it is first needed.
  final var extras: ViewExtras?
  /// It asked for the focus before it was shown.
  final var wantsFocus = false
  /// A scene has shown it.
  final var wasShown = false
  /// Its handlers have been sent `willAppear`, and no `didDisappear` since.
  final var hasAppeared = false

  /// For subclasses and the classes that make them; others call `ViewClass.make()`, which knows the
  /// Swift class of the view class.
  package init(viewClass: ViewClass) {
    self.viewClass = viewClass
    super.init(shape: viewClass.shape)
  }

  deinit { releaseSubviews() }

  /// Whether a scene shows it.
  @inline(__always)
  final func isShown(in scene: Scene) -> Bool {
    shownIn?.toOpaque() == Unmanaged.passUnretained(scene).toOpaque()
  }

  /// Calls a function with its superview, if there is one, whose reference is not counted
  /// meanwhile.
  @inline(__always)
  final func withParent<Result>(_ body: (View) -> Result) -> Result? {
    above?._withUnsafeGuaranteedRef(body)
  }

  /// The same with the scene that shows it.
  @inline(__always)
  final func withScene(_ body: (Scene) -> Void) { shownIn?._withUnsafeGuaranteedRef(body) }

  // MARK: For subclasses

  /// Whether it may have subviews: classes with a layout do.
  public var takesSubviews: Bool { viewClass.arrangement != nil }

  /// Whether it makes all its subviews itself, so that others cannot be added.
  var makesSubviews: Bool { false }

  /// The size of its own content, without padding, given unlimited room.
  package func naturalSize() -> Size {
    viewClass.drawing?.naturalSize(self) ?? .zero
  }

  /// Whether its height depends on its width.
  public var wraps: Bool { false }

  /// The height of its own content in a given width; called only when it wraps.
  package func naturalHeight(forWidth width: Int) -> Int { naturalSize().height }

  /// Draws its own content; subviews are drawn by themselves.
  package func draw(in canvas: Canvas) {
    viewClass.drawing?.draw(self, canvas)
  }

  /// Where the text cursor stands while it has the focus, from its own top left corner.
  package var caret: Point? { nil }

  /// Handles a key; true when it took it.
  package func handle(_ key: Key) -> Bool { false }

  /// Handles pasted text; false when it does not take any.
  package func handlePaste(_ text: String) -> Bool { false }

  /// Handles a mouse event, with a position relative to its own top left corner; true when it took
  /// it.
  package func handle(_ mouse: MouseEvent) -> Bool { false }

  /// Describes what the class makes of its properties, for a renderer that shows these.
  func describe(_ description: inout ViewDescription) {}

  /// Does what a person does to it as a whole; false for what it does not offer.
  func perform(_ action: ViewAction) -> Bool { false }

  /// Called when it got the focus or lost it.
  package func focusChanged(_ isFocused: Bool) {}

  /// Called when it has been taken out of its scene.
  func leftScene() {}

  /// Called when a view below this one got the focus or lost it.
  ///
  /// - Parameter keepsSelection: whether a reload has moved the focus to a replacement, so that no
  ///   row is selected because of it.
  func focusWithinChanged(keepsSelection: Bool) {}

  /// Properties beside `hidden` that a person or a handler may change, and that keep the change
  /// when a new version of the script declares the same value.
  var declaredProperties: [ViewProperty] { [] }

  /// Notes what the script declares of properties that a person or a handler may change.
  func noteDeclared() { declared.note(self) }

  /// Adopts the state that a person left in the view that this one replaces.
  func adoptState(of old: View, _ reconciliation: Reconciliation) {
    adopt(
      .hidden, of: old, ifDeclaredAlike: declared.isHidden == old.declared.isHidden, reconciliation)
  }

  /// A function that restores its present state after a rolled-back change of its inputs; nil when
  /// nothing can be lost.
  func stateRestorer() -> (() -> Void)? { nil }

  /// Takes over the focus from the view that this one replaces; no event is sent.
  func focusMoved(from old: View) {}

  /// The pop-up that it has open; nil for none.
  var openPopUps: OpenPopUps? { nil }

  /// Opens the pop-up that was open before.
  func reopen(_ popUps: OpenPopUps) {}

  /// The minimum width that a class with subviews needs for itself.
  var leastWidth: Int { 0 }

  /// Called before a frame when properties that the class keeps state for have changed.
  func stateChanged() {}

  /// Arranges the subviews of a class without an `Arrangement`.
  func arrangeSubviews(in content: Rect, by layout: Layout) {}

  /// Whether views of the class float above the rest.
  var isFloat: Bool { false }

  /// Where it floats, in the frame.
  func floatingRect(on screen: Rect, by layout: Layout) -> Rect { screen }

  /// The view that shows it, when it is a pop-up.
  var presenter: View? { nil }

  /// Whether it conceals a subview that is not `hidden`, as tabs do.
  func hidesSubview(_ subview: View) -> Bool { false }

  /// Whether Tab stops here.
  var isFocusStop: Bool { flag(.focusable) }

  /// Scrolls as little as necessary to show an area of the frame within it.
  func reveal(_ area: Rect) {}
  /// Whether it shows a part of what it holds at any height, and scrolls the rest into sight.
  var scrolls: Bool { false }

  /// How the class modifies the style of its views, beyond their own colours.
  func decorated(_ style: CellStyle) -> CellStyle { style }

  /// Adds the memory that the view holds beside its properties, such as pixels or edited text.
  package func addHeld(to meter: inout MemoryMeter) {}

  /// Messages name a view by its id.
  public override var displayName: String? {
    let id = graph.untracked { text(.id) }
    return id.isEmpty ? nil : id
  }

  /// True: a view shows what is wrong with its bindings.
  open override var showsBindingErrors: Bool { true }

  /// Whether the view can have the focus.
  open override var takesEdits: Bool { graph.untracked { flag(.focusable) } }

  /// Puts the message in `error`, and nil when all is well again.
  open override func showBindingError(_ message: String?) { showMessage(message) }

  /// Shows what is wrong in `error`. A rule that is bound to it waits meanwhile, and shows what it
  /// gives when all is well again.
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
