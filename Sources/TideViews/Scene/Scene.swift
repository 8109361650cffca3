public import TideBindings
import TideGraph

/// A view tree that is shown: its window, its focus, its picture, and what has changed since the
/// last frame.
///
/// ```swift
/// let scene = try Scene(root: label, size: Size(width: 20, height: 2))
/// let renderer = TextRenderer()
/// try scene.mount(renderer)
/// label[.text] = "Hello"
/// try scene.commit()
/// renderer.text                       // "Hello"
/// ```
///
/// Changes gather until `commit`, which lays out and draws what they concern and no more. Whoever
/// runs the event loop calls it when `needsFrame` says so.
public final class Scene {
  /// The topmost view: a window that the app shows, else one that the scene puts around its view.
  public private(set) var window: View
  /// The window is what was given to be shown.
  private var isWindowOfApp: Bool
  /// Columns and rows of the screen.
  public internal(set) var size: Size
  /// What was drawn last.
  public internal(set) var frame: Frame
  /// What views draw with. ASCII alone also replaces other characters in texts.
  public var symbols: Symbols = .unicode {
    didSet { showsWhole() }
  }
  /// Receives what handlers throw and what cannot be drawn. Where it is nil the graph lists it.
  public var onError: ((TideError) -> Void)?
  /// Told of the id of each view that comes or goes; nil while nobody wants to know.
  package var onID: ((String) -> Void)?
  /// The view with the focus; nil for none.
  public internal(set) weak var focused: View?
  /// What fields copy to and paste from.
  public let clipboard = Clipboard()
  /// The tooltip of the focused view, or of the nearest one above it that has one: what a renderer
  /// may show in a line of its own.
  public var hint: String? { currentHint() }
  let graph: Graph
  let layout = Layout()
  private(set) var renderer: (any Renderer)?
  /// The view that took the mouse button, until it is released.
  weak var pressed: View?
  var frameNumber = 0
  /// How many frames in a row had more to do than a turn has time for.
  var lateFrames = 0
  /// How many pictures in a row were not drawn to the end.
  var latePictures = 0
  var isWhole = true
  var shownCaret: Point?
  /// What a renderer may have shown as the hint.
  var shownHint: String?
  var isUpdating = false
  /// The layout did not settle when it was done last.
  var layoutLoop: TideError?
  var appeared: [View] = []
  var disappeared: [View] = []
  var stateful: [View] = []
  weak var focusWhenShown: View?
  /// A version is tried that may turn out to be no good.
  package var isTrying = false
  /// A view that went out of sight with the focus somewhere in it, which cannot stay there.
  weak var viewLosingFocus: View?
  /// All views that float when they are shown, and those that do now, the highest last.
  var floats: [View] = []
  var shownFloats: [View] = []
  /// One of those shown has left.
  var floatsChanged = false
  /// Who had the focus before each modal float, outermost first.
  var modalStack: [ModalTurn] = []
  /// Where the focus was that its view took along.
  var focusGap: FocusGap?
  /// A view that gets keys before the focused one: a menu while it is open.
  weak var keyTaker: View?
  /// The menus in the tree, in the order they came.
  var menus: [View] = []
  /// The focused view has to be scrolled into sight.
  var revealsFocus = false
  /// Events of the layout, such as a list's `willDisplay`, to be sent when it is done.
  var afterLayout: [Event] = []
  /// Reads the file that an image names; nil opens the path itself.
  package var readsPicture: ((String) throws -> [UInt8])?
  /// Calls a function that lays out and draws a frame, within a budget of time and memory; nil for
  /// no budget.
  package var runWithinBudget: ((() -> Void) -> Void)?
  /// Views that are drawn again at the next beat.
  var moving: [View] = []
  var nextBeat: (any ScheduledCall)?
  var beatCount = 0
  /// Pictures of a view by itself tell nobody.
  let isSilent: Bool

  /// Shows a view, in a window unless it is one. Throws `badTree` when it cannot be put there.
  public convenience init(
    root: View, size: Size = Size(width: 80, height: 24)
  ) throws(TideError) {
    if root.viewClass.inherits(from: .window) {
      self.init(top: root, size: size, isWindowOfApp: true)
    } else {
      self.init(top: ViewClass.window.make(), size: size)
      root.remove()
      try window.add(root)
    }
  }

  /// Shows an empty window.
  public convenience init(size: Size = Size(width: 80, height: 24)) {
    self.init(top: ViewClass.window.make(), size: size)
  }

  init(top: View, size: Size, isSilent: Bool = false, isWindowOfApp: Bool = false) {
    window = top
    self.isWindowOfApp = isWindowOfApp
    graph = top.graph
    self.size = size.bounded
    self.isSilent = isSilent
    frame = Frame(size: size)
    enter(top)
  }

  deinit {
    nextBeat?.cancel()
    renderer?.unmount()
    var walk = TreeWalk(window)
    while let view = walk.next() { release(view) }
    for popUp in floats where popUp.scene === self { release(popUp) }
  }

  /// The title of the window, which a renderer may show; empty when it has none.
  public var title: String {
    graph.untracked { window.text(.title) }
  }

  /// The view shown in the window.
  public var root: View? { window.children.first }

  /// What was given to be shown: a window, or the view in the scene's own.
  var shown: View? { isWindowOfApp ? window : root }

  /// The same, to be shown again.
  package var shownView: View? { shown }

  /// Shows another view in place of the present one.
  public func show(_ view: View) throws(TideError) {
    if shown === view { return }
    if view.viewClass.inherits(from: .window) {
      view.remove()
      replaceWindow(with: view, isOfApp: true)
    } else if isWindowOfApp {
      replaceWindow(with: try ViewClass.window.make([view]), isOfApp: false)
    } else if let root {
      try root.replace(with: view)
    } else {
      try window.add(view)
    }
  }

  private func replaceWindow(with new: View, isOfApp: Bool) {
    graph.batch {
      // They are in no tree, and know the window that goes.
      for case let popUp as PopUpView in floats { popUp.close() }
      leave(window)
      window = new
      isWindowOfApp = isOfApp
      enter(new)
    }
    showsWhole()
  }

  // MARK: The renderer

  /// Shows the tree with a renderer, in place of the one before.
  public func mount(_ renderer: any Renderer) throws {
    unmount()
    self.renderer = renderer
    do {
      try renderer.mount(self)
      showsWhole()
      try commit()
    } catch {
      unmount()
      throw error
    }
  }

  /// Takes the tree off its renderer; it may be mounted again.
  public func unmount() {
    let mounted = renderer
    renderer = nil
    mounted?.unmount()
  }

  /// Gives the picture another size, of at most `Size.cellLimit` cells.
  public func resize(_ size: Size) {
    let size = size.bounded
    if size == self.size { return }
    self.size = size
    frame = Frame(size: size, glyphs: frame.glyphs)
    showsWhole()
  }

  /// Draws everything again in the next frame.
  public func showsWhole() {
    isWhole = true
    layout.needsDraw(window)
  }

  /// Whether anything has changed since the last frame.
  public var needsFrame: Bool {
    isWhole || graph.hasTouched || !layout.isIdle || layout.needsDrawing || !appeared.isEmpty
      || !disappeared.isEmpty || !stateful.isEmpty || floatsChanged || frame.caret != shownCaret
  }

  /// Lays out and draws what has changed, and hands it to the renderer, unless nothing has.
  ///
  /// Throws what the renderer throws.
  public func commit() throws {
    guard let changes = update() else { return }
    try renderer?.render(changes)
  }
}
