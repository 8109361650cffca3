import TideSystem
import TideViews

/// Keeps a renderer and an event loop together: what is typed goes into the scene, and changes of
/// the scene come out in at most sixty frames a second.
///
/// ```swift
/// let display = Display(loop: loop, renderer: renderer)
/// try display.show(scene)
/// while isRunning {
///   try display.drawIfDue()
///   loop.turn()
/// }
/// display.close()
/// ```
final class Display {
  private let loop: EventLoop
  private let renderer: any Renderer
  private var scene: Scene?
  /// What was asked for: nil where an empty scene is shown in its place.
  private var given: Scene?
  private var input: DescriptorWatch?
  private var lastFrame = -Double.infinity
  private var frameTimer: LoopTimer?

  /// From one frame to the next, in seconds, at least.
  private static let frameTime = FrameQueue.frameTime

  init(loop: EventLoop, renderer: any Renderer) {
    self.loop = loop
    self.renderer = renderer
  }

  /// Shows a scene, in place of the one before; nil shows an empty one.
  func show(_ scene: Scene?) throws {
    if self.scene != nil, scene === given { return }
    close()
    given = scene
    let scene = scene ?? Scene()
    self.scene = scene
    try scene.mount(renderer)
    lastFrame = loop.now()
    guard let descriptor = renderer.inputDescriptor else { return }
    input = try loop.watch(descriptor: descriptor) { [renderer] in renderer.readInput() }
  }

  /// Draws what has changed, or sees to it that the loop turns when it is time for it.
  func drawIfDue() throws {
    guard let scene, scene.needsFrame else { return }
    let wait = lastFrame + Self.frameTime - loop.now()
    if wait <= 0 {
      try draw()
    } else if frameTimer == nil {
      frameTimer = loop.after(wait, keepsRunning: false) { [unowned self] in frameTimer = nil }
    }
  }

  /// Lets the renderer know that the loop is about to wait.
  func finishTurn() { renderer.finishTurn() }

  /// Draws what has changed at once.
  func draw() throws {
    lastFrame = loop.now()
    loop.frames.run(at: lastFrame)
    try scene?.commit()
  }

  /// Gives the medium back.
  func close() {
    input?.cancel()
    input = nil
    frameTimer?.cancel()
    frameTimer = nil
    scene?.unmount()
    scene = nil
    given = nil
  }

  deinit { close() }
}
