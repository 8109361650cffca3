/// Turns the view tree into a medium, and what people do there into input for the tree.
///
/// A renderer gets the scene once and afterwards only what changed. For every conformer this holds:
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
/// The event loop belongs to the host of the scene; a renderer that reads a file descriptor says
/// which, and is asked to read when there is something.
public protocol Renderer: AnyObject {
  /// Takes the medium, and says its size with `scene.resize`. The first `render` follows.
  ///
  /// - Throws: why the medium cannot be taken; `unmount` is called then.
  func mount(_ scene: Scene) throws
  /// Shows what changed since the last call.
  ///
  /// - Throws: why it cannot be shown, which `Scene.commit` passes on.
  func render(_ changes: Changes) throws
  /// Views have taken the place of others, with all that a person had done to those: what it has of
  /// the old ones goes on with the new.
  func replace(_ pairs: [(old: View, new: View)])
  /// Tells a person something that shows nowhere in the tree, such as that what was typed is in no
  /// record.
  func notify(_ text: String)
  /// Called when all that has come is done and, if it is time for a frame, shown: before the loop
  /// of the app waits.
  func finishTurn()
  /// Gives the medium back as it was. Called once, also after an error.
  func unmount()

  /// Whether it shows the properties of views, and not only cells: it is told then of each change,
  /// of views out of sight as well.
  var showsProperties: Bool { get }

  /// Where input arrives; nil when there is none to wait for.
  var inputDescriptor: Int32? { get }
  /// Takes what has arrived, without waiting, and sends it to the scene.
  func readInput()
}

extension Renderer {
  /// Does nothing, for renderers that keep nothing of a view.
  public func replace(_ pairs: [(old: View, new: View)]) {}
  /// Does nothing, for renderers that have no place for it.
  public func notify(_ text: String) {}
  /// Does nothing, for renderers that have shown everything.
  public func finishTurn() {}
  /// False, for renderers of cells.
  public var showsProperties: Bool { false }
  /// Nil, for renderers that read no input.
  public var inputDescriptor: Int32? { nil }
  /// Does nothing, for renderers that read no input.
  public func readInput() {}
}

/// A renderer that a person uses, who may want to quit.
///
/// ```swift
/// let renderer: any InteractiveRenderer = terminal
/// renderer.onQuit = { code in print("ends with", code) }
/// try scene.mount(renderer)
/// ```
///
/// The host of the scene sets both functions before mounting.
public protocol InteractiveRenderer: Renderer {
  /// Gets input that neither a view nor the renderer took.
  var onUnhandled: (InputEvent) -> Void { get set }
  /// Gets an exit code when the medium is gone, or a signal asks the program to end.
  var onQuit: (Int32) -> Void { get set }
}

/// What has changed since the last frame.
///
/// ```swift
/// func render(_ changes: Changes) {
///   for area in changes.areas { print(area.y, changes.frame.lines[area.y]) }
/// }
/// ```
public struct Changes {
  /// The views whose look, rectangle or children changed, each once. A new view stands for all that
  /// is below it.
  public let views: [View]
  /// The picture in a grid of characters, already brought up to date.
  public let frame: Frame
  /// The areas of the frame that were drawn again; they may overlap, and hold unchanged cells too.
  public let areas: [Rect]
  /// Everything has to be shown: the first frame, or the size is another.
  public let isWhole: Bool
  /// For a renderer that shows properties: every view of which a property, the look or the subviews
  /// are others than before, also where nothing of it is in sight; each once.
  public let changedViews: [View]
}
