import TideBindings
import TideREPL
import TideScript
import TideViews

/// The part of a browser display that a run uses.
protocol PageDisplay: AnyObject {
  var pages: any InteractiveRenderer { get }
  /// Called when the terminal is used besides the browsers.
  func leaveLead()
  /// Reports a reload to developers, in one line.
  func report(_ line: String)
  /// Shows why a version cannot run; nil once a version runs again.
  func showFailure(_ text: String?)
  /// Called when the listed errors have changed.
  func errorsChanged()
}

/// A server of browser pages.
protocol PageService: PageDisplay {
  /// The address of the app.
  var url: String { get }
  /// The address of the inspector for developers, with its own token; nil without an inspector.
  var inspectorURL: String? { get }
  /// The address of the app with a one-time token.
  var oneTimeURL: String { get }
  /// The listening socket.
  var listener: Int32 { get }
  /// Starts answering requests; called after confinement is applied.
  func start(for runtime: Runtime) throws
  /// - Parameter isForGood: whether pages should not wait for the server to return.
  func stop(isForGood: Bool)
  /// Lets developers inspect the app at `inspectorURL`, if the options allow it.
  func show(_ inspected: any InspectionSource)
  /// The number of viewers of the common app.
  var viewerCount: Int { get }
  /// Whether each viewer has an app of its own.
  var isPrivate: Bool { get }
}
