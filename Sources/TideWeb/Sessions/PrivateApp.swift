package import TideRun
package import TideScript

/// The app of one session, made on the session's thread.
package struct PrivateApp {
  package let runtime: Runtime
  /// Called with the loop before it runs.
  package var prepare: (AppLoop) -> Void
  /// Called when the loop has ended.
  package var finish: () -> Void

  /// Creates an app for a renderer, on the thread that will run it.
  package typealias Maker = @Sendable (_ pages: WebRenderer) throws -> PrivateApp

  package init(
    _ runtime: Runtime, prepare: @escaping (AppLoop) -> Void = { _ in },
    finish: @escaping () -> Void = {}
  ) {
    self.runtime = runtime
    self.prepare = prepare
    self.finish = finish
  }
}
