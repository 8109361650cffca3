import TideBindings
import TideLua
import TideRun
import TideScript
import TideSystem
import TideValues

/// An app on a thread of its own, until it ends.
///
///     the sessions' owner ──perform──▶ the app's inbox ──▶ the app's thread
///
/// It belongs to the owner of the sessions. Only closures that are passed to `perform` run on the
/// app's thread.
final class SessionThread: SessionHost {
  private let place: Place
  private var thread: SystemThread?

  /// The app's objects, which live on its thread.
  struct Content {
    let runtime: Runtime
    let renderer: WebRenderer
  }

  /// What the apps of all sessions share.
  struct Source: Sendable {
    let pictures: PagePictures
    let make: PrivateApp.Maker
  }

  /// Starts the thread.
  ///
  /// - Parameter onEnd: called on its thread when it has ended.
  /// - Throws: `serving` if the system cannot create a thread.
  init(
    _ plan: SessionPlan, _ source: Source, onEnd: @escaping @Sendable (SessionEnding) -> Void
  ) throws(TideError) {
    let place = Place()
    self.place = place
    thread = SystemThread { Self.run(plan, source, place, onEnd) }
    if thread == nil {
      throw TideError(.serving, "the system has no thread for another session")
    }
  }

  deinit { thread?.detach() }

  // MARK: On its thread

  private static func run(
    _ plan: SessionPlan, _ source: Source, _ place: Place,
    _ onEnd: @Sendable (SessionEnding) -> Void
  ) {
    var ending = SessionEnding.ended
    do { try run(plan, source, place) } catch { ending = .failed }
    place.close()
    onEnd(ending)
  }

  private static func run(_ plan: SessionPlan, _ source: Source, _ place: Place) throws {
    let renderer = WebRenderer(isDeveloping: plan.isDeveloping, source.pictures)
    renderer.pagePrefix = plan.pagePrefix
    renderer.isOfOnePerson = true
    renderer.person = plan.person
    renderer.notice = plan.notice
    let app = try SessionOwner.$current.withValue(plan.owner) { try source.make(renderer) }
    let runtime = app.runtime
    if let kept = plan.kept { runtime.restoreModels(kept) }
    renderer.follow(runtime)
    let loop = AppLoop(runtime, renderer)
    defer { loop.close() }
    defer { app.finish() }
    app.prepare(loop)
    try loop.show()
    place.open(Content(runtime: runtime, renderer: renderer))
    try loop.run()
    renderer.end("The app has ended.")
  }

  // MARK: From its owner

  /// Runs a closure on the app's thread once the app has started; does nothing if the app has
  /// ended.
  private func perform(_ body: @escaping @Sendable (Content) -> Void) { place.perform(body) }

  func take(_ report: PageConnection.Report, of connection: PageConnection) {
    perform { $0.renderer.take(report, of: connection) }
  }

  func stop(givingValues take: (@Sendable ([UInt8]) -> Void)?) {
    if let take {
      perform {
        $0.renderer.performAllWaitingActs()
        take($0.runtime.keptModels())
      }
    }
    perform { $0.runtime.exit(0, within: Self.timeOfEnding) }
  }

  func releasePages() { perform { $0.renderer.end(nil) } }

  /// Nil: a crash of the thread ends the whole process.
  var lastValues: [UInt8]? { nil }

  func wait(until deadline: Double) {
    guard let thread else { return }
    if !place.waitForEnd(until: deadline) {
      // Code that runs after a script is interrupted, such as its closing methods, may not end
      // either.
      repeat {
        if EventLoop.monotonicTime() > deadline + Self.timeOfEnding { return }
        place.interrupt()
      } while !place.waitForEnd(until: EventLoop.monotonicTime() + Self.timeOfInterrupt)
    }
    thread.join()
    self.thread = nil
  }

  /// Seconds after which a script that still runs is interrupted again.
  private static let timeOfInterrupt = 0.01

  /// Seconds that an app may take to end.
  static let timeOfEnding = 0.5

  /// Passes closures to the app's thread.
  private final class Place: Sendable {
    private let state = Guarded(State())
    /// Signalled once, when the app has ended.
    private let ending = Condition()

    private struct State {
      var inbox: LoopInbox?
      var interrupter: LuaInterrupter?
      var content: Relay<Content>?
      /// Closures to run once the app has started.
      var waiting: [@Sendable (Content) -> Void] = []
      var hasEnded = false
    }

    /// Waits until the app has ended; returns false at the deadline.
    func waitForEnd(until deadline: Double) -> Bool {
      ending.wait(beyond: 0, seconds: deadline - EventLoop.monotonicTime())
    }

    func interrupt() { state.withLock { $0.interrupter }?.interrupt() }

    func open(_ content: Content) {
      let waiting = state.withLock { state in
        state.inbox = content.runtime.loop.inbox
        state.interrupter = content.runtime.lua.interrupter
        state.content = Relay(content)
        defer { state.waiting = [] }
        return state.waiting
      }
      for body in waiting { body(content) }
    }

    func close() {
      let content = state.withLock { state in
        let content = state.content
        state = State()
        state.hasEnded = true
        return content
      }
      content?.end()
      ending.signal()
    }

    func perform(_ body: @escaping @Sendable (Content) -> Void) {
      let way = state.withLock { state -> (LoopInbox, Relay<Content>)? in
        if state.hasEnded { return nil }
        if let inbox = state.inbox, let content = state.content { return (inbox, content) }
        state.waiting.append(body)
        return nil
      }
      guard let (inbox, content) = way else { return }
      inbox.post { if let content = content.content { body(content) } }
    }
  }
}
