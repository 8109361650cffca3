/// A renderer with somebody in front of it, who may want to leave.
///
/// Whoever runs the scene sets both functions before mounting.
public protocol InteractiveRenderer: Renderer {
  /// Gets input that neither a view nor the renderer took.
  var onUnhandled: (InputEvent) -> Void { get set }
  /// Gets an exit code when the medium is gone, or a signal asks the program to end.
  var onQuit: (Int32) -> Void { get set }
}
