/// Shows a scene as plain text, for snapshots, tests and output other than terminals.
///
/// ```swift
/// let renderer = TextRenderer(size: Size(width: 20, height: 3))
/// try scene.mount(renderer)
/// renderer.text        // the lines, without the spaces at their ends
/// ```
///
/// It is also the test double for scenes and other renderers: it counts the frames and stores the
/// changes of the last one.
public final class TextRenderer: Renderer {
  /// The size that it sets for the scene; nil keeps the scene's size.
  public let size: Size?
  /// The frame as text, without empty rows at the end.
  public var text: String { frame?.text ?? "" }
  /// The rows of the frame as strings.
  public var lines: [String] { frame?.lines ?? [] }
  /// The number of frames rendered.
  public private(set) var frameCount = 0
  /// The changes of the last frame.
  package private(set) var lastChanges: Changes?
  /// Whether a scene is mounted.
  package private(set) var isMounted = false
  private var frame: Frame? { lastChanges?.frame }

  /// Makes a renderer; without a size it keeps the scene's.
  public init(size: Size? = nil) { self.size = size }

  /// Sets the scene's size, if the renderer has one.
  public func mount(_ scene: Scene) {
    isMounted = true
    if let size { scene.resize(size) }
  }

  /// Counts the frame and stores its changes.
  public func render(_ changes: Changes) {
    frameCount += 1
    lastChanges = changes
  }

  /// Unmounts the scene; the last frame stays available.
  public func unmount() { isMounted = false }
}
