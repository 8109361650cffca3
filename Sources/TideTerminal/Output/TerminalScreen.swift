import TideViews

/// The content of the terminal and the state needed to update it.
struct TerminalScreen {
  /// Columns and rows of the terminal.
  var size = Size(width: 80, height: 24)
  /// The panes around the scene and over it.
  var composition = Composition()
  /// The last frame of the scene, without panes; nil before the first one.
  var frame: Frame?
  /// Whether lines were added to the log that its pane does not show yet.
  var isLogStale = false
  private var encoder: FrameEncoder
  /// The last title sent to the terminal; empty while the terminal has its own.
  private var title = ""

  init(_ capabilities: TerminalCapabilities) {
    encoder = FrameEncoder(capabilities: capabilities)
  }

  /// The size that remains for the scene.
  var sceneSize: Size { composition.sceneSize(in: size) }

  /// Resets all state for a terminal with unknown content.
  mutating func begin(_ size: Size) {
    self.size = size
    composition.forget()
    forget()
  }

  /// Resets the known content of the terminal, because other output may have changed it.
  mutating func forget() {
    encoder.forget()
    title = ""
  }

  /// The bytes that update the terminal; nil if the scene has no frame of the right size.
  mutating func update(areas: [Rect]?, scene: Scene?, log: [String]) -> [UInt8]? {
    guard let frame, frame.size == sceneSize else { return nil }
    isLogStale = false
    let hasAttributes = encoder.capabilities.hasAttributes
    composition.hint = scene?.hint
    // Without attributes, only the cursor can indicate the focus.
    encoder.caretElsewhere = hasAttributes ? nil : scene?.focusCorner
    let shown = composition.compose(frame, areas: areas, size: size, log: log)
    return titleChange(scene) + encoder.encode(shown.frame, areas: shown.areas)
  }

  /// The sequence that sets the window's title, if it has changed and the terminal supports titles.
  private mutating func titleChange(_ scene: Scene?) -> [UInt8] {
    guard encoder.capabilities.hasAttributes, let new = scene?.title, new != title else {
      return []
    }
    title = new
    return Sequences.title(new)
  }
}
