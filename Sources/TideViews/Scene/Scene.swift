public import TideBindings
import TideGraph

/// A visible view tree: its window, focus and frame, and the changes since the last frame.
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
/// Changes are collected until `commit`, which lays out and draws only the affected views. The
/// event loop calls it when `needsFrame` is true.
///
/// The state is divided into types, each in a file of its own:
///
///     input ──▶ InputRouter ──▶ Focus, FocusRecovery, FloatStack
///     changes ──▶ UpdateCycle ──▶ Layout ──▶ Painter ──▶ renderer
///     added and removed views ──▶ Appearances, InputRouter, FloatStack
///
/// They are structures inside the scene. Methods that run handlers belong to the scene, since a
/// handler may re-enter the same structure; the structures' mutating methods call no handler.
///
/// A scene owns its views and its renderer, and must be used only on the actor or thread of its
/// views.
public final class Scene {
  /// The topmost view: the app's window, or one that the scene makes around the app's view.
  public private(set) var window: View
  /// Whether the window is the view that was passed to be shown.
  private var isWindowOfApp: Bool
  let graph: Graph
  /// The style sheet for the names in `style`.
  let styles: StyleSheet
  /// Whether it only draws a picture of a view, without sending events or changing properties.
  let isSilent: Bool
  private(set) var renderer: (any Renderer)?
  /// The person at the terminal, or the program acting as the user.
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
  /// The replacements of the last reload, in case it is rolled back before a frame is drawn.
  var replaced: [(old: View, new: View)] = []
  var inspection = SceneInspection()
  /// Whether a viewer of a page acted last. Scroll offsets then belong to that page, and the cell
  /// renderer keeps its own.
  package var scrollsElsewhere = false
  /// The key bars in the tree.
  var keyBars: [KeyBarView] = []

  /// Makes a scene that shows a view, in a window unless it is one.
  ///
  /// - Throws: `badTree` if the view cannot be added.
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

  /// Makes a scene with an empty window.
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
    // Pop-ups are in no tree, and may still be referenced.
    for popUp in floats.all where popUp.scene === self { releaseTree(of: popUp) }
  }

  private func releaseTree(of top: View) {
    var walk = TreeWalk(top)
    while let view = walk.next() { release(view) }
  }

  /// Receives the errors of handlers and of drawing. If it is nil, the graph lists them.
  public var onError: ((TideError) -> Void)? {
    get { host.onError }
    set { host.onError = newValue }
  }

  /// The title of the app, or else of the window, which a renderer may show; empty if there is
  /// none.
  public var title: String {
    graph.untracked { host.title.isEmpty ? window.text(.title) : host.title }
  }

  /// The view shown in the window.
  public var root: View? { window.children.first }

  /// The view that was passed to be shown: a window, or the view in the scene's own window.
  var shown: View? { isWindowOfApp ? window : root }

  /// The view that was passed to be shown.
  package var shownView: View? { shown }

  /// Shows another view instead of the current one.
  ///
  /// - Throws: `badTree` if the view cannot be added.
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
      // Pop-ups are in no tree, and refer to views of the window that is removed.
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

  /// Shows the scene with a renderer, which replaces the previous one.
  ///
  /// - Throws: the errors of the renderer's `mount` and first `render`; nothing is mounted in that
  ///   case.
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

  /// Whether the renderer is mounted directly, not as part of a pair.
  package func isShown(by renderer: any Renderer) -> Bool { self.renderer === renderer }

  /// Unmounts the renderer; the scene may be mounted again.
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

  /// Lays out and draws what has changed, and passes the changes, if any, to the renderer.
  ///
  /// - Throws: the error of the renderer.
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

/// The description of a person's input for the scene's host.
package struct PersonInput {
  /// A number shared by all input of one gesture, such as typing into a field.
  package let gesture: Int
  /// The title of the button that it presses.
  package var title: String?
  /// Whether it enters text.
  package var isTyping = false
  /// Whether it is an action of its own, even while another action is being handled.
  package var isApart = false
}

/// The services and callbacks of a scene's host.
package struct SceneHost {
  /// Receives the errors of handlers and of drawing; if it is nil, the graph lists them.
  var onError: ((TideError) -> Void)?
  /// Receives the id of each view that is added or removed, or gets another id; nil if they are not
  /// needed.
  package var onID: ((String, View) -> Void)?
  /// Reads the file of an image; nil opens the path directly.
  package var readImage: ((String) throws -> [UInt8])?
  /// Calls a function that lays out and draws a frame, within a budget of time and memory; nil for
  /// no budget.
  package var runWithinBudget: ((() -> Void) -> Void)?
  /// Handles a person's input by calling a function; nil to call the function directly.
  package var handleInput: ((_ input: PersonInput, _ body: () -> Void) -> Void)?
  /// Called when a person has answered a question that was shown to everyone, with the title of the
  /// button; nil if the question was dismissed.
  package var answered: ((_ title: String?, _ person: ScenePerson) -> Void)?
  /// The time of the app's clock, in seconds; nil for an app without one.
  package var now: (() -> Double)?
  /// Returns the views that have the focus of people other than the one whose focus is the scene's;
  /// nil if the scene has one person.
  package var focusOfOthers: (() -> [View])?
  /// Shows a message to a person at a page; nil if the scene has no pages.
  package var tell: ((_ text: String, _ person: ScenePerson) -> Void)?
  /// Quits the app, like the quit key.
  package var quit: (() -> Void)?
  /// The app's title, which takes precedence over the window's; empty for none.
  package var title = ""
  /// Executes a context menu command that is not a Swift `Command`.
  package var executeCommand: CommandExecutor?
  /// Whether a reload is on trial, after which the old views may be shown again.
  package var isTryingReload = false
}
