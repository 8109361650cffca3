/// Shows a scene as plain text, for snapshots, tests and output that is no terminal.
///
/// ```swift
/// let renderer = TextRenderer(size: Size(width: 20, height: 3))
/// try scene.mount(renderer)
/// renderer.text        // the lines, without the spaces at their ends
/// ```
///
/// It is also the double to test scenes and other renderers with: it counts the frames, and keeps
/// the changes of the last one.
public final class TextRenderer: Renderer {
  /// Columns and rows of what it shows.
  public let size: Size?
  /// The picture as text; empty rows at the end are left out.
  public var text: String { frame?.text ?? "" }
  /// The picture, a row a string.
  public var lines: [String] { frame?.lines ?? [] }
  /// How often something was shown.
  public private(set) var frameCount = 0
  /// What changed between the last two pictures.
  package private(set) var lastChanges: Changes?
  /// Whether a scene is shown on it.
  package private(set) var isMounted = false
  private var frame: Frame? { lastChanges?.frame }

  /// Without a size it takes the scene's.
  public init(size: Size? = nil) { self.size = size }

  /// Gives the scene the renderer's size, where it has one.
  public func mount(_ scene: Scene) {
    isMounted = true
    if let size { scene.resize(size) }
  }

  /// Counts the frame and keeps its changes.
  public func render(_ changes: Changes) {
    frameCount += 1
    lastChanges = changes
  }

  /// Ends showing; the last picture stays.
  public func unmount() { isMounted = false }
}
