/// Shows the view tree in a medium, and passes the input of users to the scene.
///
/// A renderer receives the scene once, and afterwards only changes. Every conformer must pass this
/// test:
///
/// ```swift
/// let scene = try Scene(root: label)
/// try scene.mount(renderer)          // draws everything once
/// label[.text] = "new"
/// try scene.commit()                 // renderer.render(changes) with changes.views == [label]
/// try scene.commit()                 // nothing changed: the renderer is not called
/// try scene.send(.key(Key("a")))     // every kind of input enters here
/// scene.unmount()                    // renderer.unmount(), once
/// ```
///
/// The event loop belongs to the host of the scene. A renderer that reads a file descriptor exposes
/// it, and is called when there is input.
public protocol Renderer: AnyObject {
  /// Acquires the medium and sets the scene's size with `scene.resize`. The first `render` follows.
  ///
  /// - Throws: why the medium cannot be used; `unmount` is called in that case.
  func mount(_ scene: Scene) throws
  /// Shows the changes since the last call.
  ///
  /// - Throws: why rendering failed; `Scene.commit` rethrows the error.
  func render(_ changes: Changes) throws
  /// New views have replaced old ones and have adopted their state. The renderer transfers what it
  /// stores for an old view to the new one.
  func replace(_ pairs: [(old: View, new: View)])
  /// Shows the user a message that is not part of the view tree, such as that typed text was not
  /// saved in any record.
  func notify(_ text: String)
  /// Called after pending input has been processed and a due frame has been shown, before the app's
  /// loop waits.
  func finishTurn()
  /// Restores the medium. Called once, also after an error.
  func unmount()

  /// Whether it shows the properties of views rather than only cells. If so, it receives each
  /// change of a property, also of views that are not visible.
  var showsProperties: Bool { get }

  /// The descriptor to read input from; nil if there is none.
  var inputDescriptor: Int32? { get }
  /// Reads the available input without blocking, and sends it to the scene.
  func readInput()
}

extension Renderer {
  /// Does nothing, for renderers that store no state of views.
  public func replace(_ pairs: [(old: View, new: View)]) {}
  /// Does nothing, for renderers that cannot show messages.
  public func notify(_ text: String) {}
  /// Does nothing, for renderers without pending output.
  public func finishTurn() {}
  /// False, for renderers of cells.
  public var showsProperties: Bool { false }
  /// Nil, for renderers that read no input.
  public var inputDescriptor: Int32? { nil }
  /// Does nothing, for renderers that read no input.
  public func readInput() {}
}

/// A renderer that a user interacts with and can quit.
///
/// ```swift
/// let renderer: any InteractiveRenderer = terminal
/// renderer.onQuit = { code in print("ends with", code) }
/// try scene.mount(renderer)
/// ```
///
/// The host of the scene sets both functions before mounting.
public protocol InteractiveRenderer: Renderer {
  /// Receives input that neither a view nor the renderer handled.
  var onUnhandled: (InputEvent) -> Void { get set }
  /// Receives an exit code if the medium is closed or a signal asks the program to end.
  var onQuit: (Int32) -> Void { get set }
}

/// The changes since the last frame.
///
/// ```swift
/// func render(_ changes: Changes) {
///   for area in changes.areas { print(area.y, changes.frame.lines[area.y]) }
/// }
/// ```
public struct Changes {
  /// The views whose look, rectangle or children changed, each once. A new view represents all its
  /// descendants.
  public let views: [View]
  /// The frame of cells, already updated.
  public let frame: Frame
  /// The redrawn areas of the frame; they may overlap and may contain unchanged cells.
  public let areas: [Rect]
  /// Whether everything has to be shown: in the first frame, and after a change of the size.
  public let isWhole: Bool
  /// For a renderer that shows properties: every view with a changed property, look or list of
  /// subviews, visible or not; each once.
  public let changedViews: [View]
}
