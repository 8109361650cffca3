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
    let now = loop.now()
    let wait = lastFrame + Self.frameTime - now
    if wait <= 0 {
      // A frame that comes a little late does not make all after it later, or there would be fewer.
      try draw(at: now, beat: -wait < Self.frameTime ? now + wait : now)
    } else if frameTimer == nil {
      frameTimer = loop.after(wait, keepsRunning: false) { [unowned self] in frameTimer = nil }
    }
  }

  /// Lets the renderer know that the loop is about to wait.
  func finishTurn() { renderer.finishTurn() }

  /// Draws what has changed at once.
  func draw() throws {
    let now = loop.now()
    try draw(at: now, beat: now)
  }

  /// - Parameter beat: from when on the next frame is due a frame's time later.
  private func draw(at now: Double, beat: Double) throws {
    lastFrame = beat
    loop.frames.run(at: now)
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
