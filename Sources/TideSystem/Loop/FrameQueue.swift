/// What is gathered until the next frame is drawn; where nothing is drawn, sixty times a second.
package final class FrameQueue {
  private var bodies: [() -> Void] = []
  private var timer: LoopTimer?
  private var lastFrame = -Double.infinity

  /// From one frame to the next, in seconds, at least.
  package static let frameTime = 1.0 / 60

  /// Calls a function before the next frame; the loop sees to it that there is one.
  package func add(in loop: EventLoop, _ body: @escaping () -> Void) {
    bodies.append(body)
    if timer != nil { return }
    timer = loop.after(lastFrame + Self.frameTime - loop.now()) { [unowned self, unowned loop] in
      run(at: loop.now())
    }
  }

  /// Runs what has been gathered, because a frame is about to be drawn.
  package func run(at moment: Double) {
    lastFrame = moment
    timer?.cancel()
    timer = nil
    // What these add waits for the frame after this one.
    let gathered = bodies
    bodies = []
    for body in gathered { body() }
  }
}
