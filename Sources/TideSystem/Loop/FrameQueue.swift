/// Functions deferred to the next frame; if nothing is drawn, they run sixty times a second.
package final class FrameQueue {
  private var bodies: [() -> Void] = []
  private var timer: LoopTimer?
  private var lastFrame = -Double.infinity

  /// The minimum time between frames, in seconds.
  package static let frameTime = 1.0 / 60

  /// Calls a function before the next frame, which the loop schedules if necessary.
  package func add(in loop: EventLoop, _ body: @escaping () -> Void) {
    bodies.append(body)
    if timer != nil { return }
    timer = loop.after(lastFrame + Self.frameTime - loop.now()) { [unowned self, unowned loop] in
      run(at: loop.now())
    }
  }

  /// Runs the deferred functions before a frame is drawn.
  package func run(at moment: Double) {
    lastFrame = moment
    timer?.cancel()
    timer = nil
    // Functions added meanwhile wait for the following frame.
    let gathered = bodies
    bodies = []
    for body in gathered { body() }
  }
}
