public import TideBindings
import TideGraph

/// A visible view tree: its window, its focus, its picture, and the changes since the last frame.
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
/// Changes gather until `commit`, which lays out and draws only what they affect. The event loop
/// calls it when `needsFrame` is true.
///
/// The state is divided into types, each in a file of its own:
///
///     input ──▶ InputRouter ──▶ Focus, FocusRecovery, FloatStack
///     changes ──▶ UpdateCycle ──▶ Layout ──▶ Painter ──▶ renderer
///     views that come and go ──▶ Appearances, InputRouter, FloatStack
///
/// They are structures inside the scene. Methods that run handlers belong to the scene, since a
/// handler may re-enter the same structure; the structures' mutating methods call no handler.
///
/// A scene keeps its views and its renderer, and is used on the actor or thread of its views alone.
public final class Scene {
  /// The topmost view: a window that the app shows, else one that the scene puts around its view.
  public private(set) var window: View
  /// The window is the view that was passed to be shown.
  private var isWindowOfApp: Bool
  let graph: Graph
  /// What the names in `style` mean.
  let styles: StyleSheet
  /// It only draws a picture of a view, sends no events and changes no property.
  let isSilent: Bool
  private(set) var renderer: (any Renderer)?
  /// The person at the terminal, or the program that acts in a person's place.
  package let user = ScenePerson(0)
  /// The services of the scene's host.
  package var host = SceneHost()

  let layout = Layout()
  var cycle = UpdateCycle()
  var painter: Painter
  var animation = Animation()
  var appearances = Appearances()
  var floats = FloatStack()
  var focus = Focus()
  var focusRecovery = FocusRecovery()
  var input = InputRouter()
  /// Which views replaced which when the app was reloaded last, in case that is taken back before
  /// anything is drawn.
  var replaced: [(old: View, new: View)] = []
  var inspection = SceneInspection()
  /// Whoever acted last looks at a page: scroll offsets are those of that page, and the picture in
  /// cells keeps its own.
  package var scrollsElsewhere = false
  /// The bars in the tree that show which keys there are.
  var keyBars: [KeyBarView] = []

  /// Shows a view, in a window unless it is one.
  ///
  /// - Throws: `badTree` when it cannot be put there.
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
    styles = StyleSheet.of(graph)
    self.isSilent = isSilent
    painter = Painter(size: size)
    enter(top)
  }

  deinit {
    animation.cancel()
    renderer?.unmount()
    releaseTree(of: window)
    // What is in no tree; somebody may still hold it.
    for popUp in floats.all where popUp.scene === self { releaseTree(of: popUp) }
  }

  private func releaseTree(of top: View) {
    var walk = TreeWalk(top)
    while let view = walk.next() { release(view) }
  }

  /// Receives the errors of handlers and of drawing. When it is nil, the graph lists them.
  public var onError: ((TideError) -> Void)? {
    get { host.onError }
    set { host.onError = newValue }
  }

  /// The title of the app or else of the window, which a renderer may show; empty when it has none.
  public var title: String {
    graph.untracked { host.title.isEmpty ? window.text(.title) : host.title }
  }

  /// The view shown in the window.
  public var root: View? { window.children.first }

  /// The view that was passed to be shown: a window, or the view in the scene's own window.
  var shown: View? { isWindowOfApp ? window : root }

  /// The same, to be shown again.
  package var shownView: View? { shown }

  /// Shows another view instead of the present one.
  ///
  /// - Throws: `badTree` when the view cannot stand where the present one does.
  public func show(_ view: View) throws(TideError) {
    if shown === view { return }
    focus.needsAutofocus = true
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
      // They are in no tree, and refer to the window that is removed.
      for case let popUp as PopUpView in floats.all { popUp.close() }
      let dialogs = presented
      for dialog in dialogs { leave(dialog) }
      leave(window)
      window = new
      isWindowOfApp = isOfApp
      enter(new)
      for dialog in dialogs.reversed() { enter(dialog) }
    }
    setNeedsFullRedraw()
  }

  // MARK: The renderer

  /// Shows the tree with a renderer, instead of the previous one.
  ///
  /// - Throws: what the renderer's `mount` or its first `render` throws; nothing is mounted then.
  public func mount(_ renderer: any Renderer) throws {
    unmount()
    self.renderer = renderer
    noteProperties(for: renderer)
    do {
      try renderer.mount(self)
      setNeedsFullRedraw()
      try commit()
    } catch {
      unmount()
      throw error
    }
  }

  /// Whether a renderer shows it by itself.
  package func isShown(by renderer: any Renderer) -> Bool { self.renderer === renderer }

  /// Takes the tree off its renderer; it may be mounted again.
  public func unmount() {
    let mounted = renderer
    renderer = nil
    mounted?.unmount()
  }

  /// Whether anything has changed since the last frame.
  public var needsFrame: Bool {
    painter.needsFullRedraw || hasStaleStyles || graph.hasTouched || !layout.isIdle
      || layout.needsDrawing
      || !appearances.isEmpty || !cycle.staleViews.isEmpty || floats.hasLostShown
      || painter.hasMovedCaret || input.hover.hasNews || !cycle.pendingNotices.isEmpty
  }

  private static let outputIdentity = Profile.Identity()

  /// Lays out and draws what has changed, and hands it to the renderer, unless nothing has.
  ///
  /// - Throws: what the renderer does.
  public func commit() throws {
    let changes = update()
    input.hover.takeNews()?()
    sendNotices()
    replaced = []
    guard let changes else { return }
    try graph.measured(Self.outputIdentity, Profile.Name(.frame, "output")) {
      try renderer?.render(changes)
    }
  }
}

/// What a person does, as the host of a scene is told of it.
package struct PersonInput {
  /// A number that the pieces of one action share, such as typing into a field.
  package let gesture: Int
  /// The title of the button that it presses.
  package var title: String?
  /// Whether it enters a text.
  package var isTyping = false
  /// Whether it is an action of its own, even while another one is being handled.
  package var isApart = false
}

/// What the host of a scene does for it, and what it is notified of.
package struct SceneHost {
  /// Receives what handlers throw and what cannot be drawn. Where it is nil the graph lists it.
  var onError: ((TideError) -> Void)?
  /// Receives the id of each view that comes or goes; nil while no one needs them.
  package var onID: ((String) -> Void)?
  /// Reads the file that an image names; nil opens the path itself.
  package var readImage: ((String) throws -> [UInt8])?
  /// Calls a function that lays out and draws a frame, within a budget of time and memory; nil for
  /// no budget.
  package var runWithinBudget: ((() -> Void) -> Void)?
  /// Handles a person's input by calling a function; nil while nobody needs to know of it.
  package var handleInput: ((_ input: PersonInput, _ body: () -> Void) -> Void)?
  /// Called when somebody has answered a question that was for everyone, with the title of the
  /// button; nil if the question was dismissed.
  package var answered: ((_ title: String?, _ person: ScenePerson) -> Void)?
  /// The time of the app's clock, in seconds; nil for an app without one.
  package var now: (() -> Double)?
  /// Gives the views that have the focus of people other than the one whose focus is the scene's;
  /// nil if the scene has one person.
  package var focusOfOthers: (() -> [View])?
  /// Shows a message to a person at a page; nil if the scene has no pages.
  package var tell: ((_ text: String, _ person: ScenePerson) -> Void)?
  /// Ends the app, as the key does that leaves it.
  package var quit: (() -> Void)?
  /// The app's title, which counts before the window's; empty for none.
  package var title = ""
  /// Executes a command of a context menu that is none of Swift's.
  package var executeCommand: CommandExecutor?
  /// A reload is being tried, after which the views of before may be shown again.
  package var isTryingReload = false
}
