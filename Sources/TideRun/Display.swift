import TideSystem
import TideViews

/// Connects a renderer to an event loop: passes its input to the scene, and draws changes of the
/// scene in at most sixty frames a second.
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
  /// The scene that was passed to `show`; nil if an empty scene is shown instead.
  private var given: Scene?
  private var input: DescriptorWatch?
  private var lastFrame = -Double.infinity
  private var frameTimer: LoopTimer?

  /// The minimum time between two frames, in seconds.
  private static let frameTime = FrameQueue.frameTime

  init(loop: EventLoop, renderer: any Renderer) {
    self.loop = loop
    self.renderer = renderer
  }

  /// Shows a scene, which replaces the previous one; nil shows an empty scene.
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

  /// Draws what has changed, or schedules a turn for the next frame.
  func drawIfDue() throws {
    guard let scene, scene.needsFrame else { return }
    let now = loop.now()
    var wait = lastFrame + Self.frameTime - now
    if wait <= 0 {
      // A slightly late frame does not delay the following ones, which keeps the frame rate.
      try draw(at: now, beat: -wait < Self.frameTime ? now + wait : now)
      // Drawing may move the focus or end an edit, which changes views again.
      guard scene.needsFrame else { return }
      wait = lastFrame + Self.frameTime - loop.now()
    }
    guard frameTimer == nil else { return }
    frameTimer = loop.after(max(0, wait), keepsRunning: false) { [unowned self] in
      frameTimer = nil
    }
  }

  /// Notifies the renderer that the loop is about to wait.
  func finishTurn() { renderer.finishTurn() }

  /// Draws what has changed immediately.
  func draw() throws {
    let now = loop.now()
    try draw(at: now, beat: now)
  }

  /// - Parameter beat: the start of the current frame interval; the next frame is due one interval
  ///   later.
  private func draw(at now: Double, beat: Double) throws {
    lastFrame = beat
    loop.frames.run(at: now)
    try scene?.commit()
  }

  /// Restores the medium.
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
