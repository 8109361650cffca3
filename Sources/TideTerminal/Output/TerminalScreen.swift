import TideViews

/// What the terminal shows, and what it takes to bring that up to date.
struct TerminalScreen {
  /// Columns and rows of the terminal.
  var size = Size(width: 80, height: 24)
  /// The panes around the scene and over it.
  var composition = Composition()
  /// What the scene last drew, without panes; nil before it has.
  var frame: Frame?
  /// Lines were added to the log that its pane does not show yet.
  var isLogStale = false
  private var encoder: FrameEncoder
  /// The title of the window that the terminal was given; empty while it has its own.
  private var title = ""

  init(_ capabilities: TerminalCapabilities) {
    encoder = FrameEncoder(capabilities: capabilities)
  }

  /// What is left for the scene.
  var sceneSize: Size { composition.sceneSize(in: size) }

  /// Begins with a terminal of which nothing is known.
  mutating func begin(_ size: Size) {
    self.size = size
    composition.forget()
    forget()
  }

  /// Forgets what the terminal shows: something else may have written there.
  mutating func forget() {
    encoder.forget()
    title = ""
  }

  /// The bytes that bring the terminal up to date; nil where the scene has drawn nothing that fits.
  mutating func update(areas: [Rect]?, scene: Scene?, log: [String]) -> [UInt8]? {
    guard let frame, frame.size == sceneSize else { return nil }
    isLogStale = false
    let hasAttributes = encoder.capabilities.hasAttributes
    composition.hint = scene?.hint
    // Without attributes, the cursor alone can say where the focus is.
    encoder.caretElsewhere = hasAttributes ? nil : scene?.focusCorner
    let shown = composition.compose(frame, areas: areas, size: size, log: log)
    return titleChange(scene) + encoder.encode(shown.frame, areas: shown.areas)
  }

  /// What makes the terminal's title that of the window, where the terminal is one that has titles.
  private mutating func titleChange(_ scene: Scene?) -> [UInt8] {
    guard encoder.capabilities.hasAttributes, let new = scene?.title, new != title else {
      return []
    }
    title = new
    return Sequences.title(new)
  }
}
