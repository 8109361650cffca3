import TideBindings
import TideREPL
import TideScript
import TideViews

/// What shows an app in browsers, as far as a run has to know of it.
protocol PageDisplay: AnyObject {
  var pages: any InteractiveRenderer { get }
  /// Somebody uses the terminal beside them.
  func leaveLead()
  /// Tells developers of a reload, in one line.
  func report(_ line: String)
  /// Shows why a version cannot run, until the next one can; nil when one can.
  func showFailure(_ text: String?)
  /// Others are listed than before.
  func errorsChanged()
}

/// A server of pages.
protocol PageService: PageDisplay {
  /// Where to open the app.
  var url: String { get }
  /// Where developers look into the app, by a token of its own; nil where nobody may.
  var inspectorURL: String? { get }
  /// The same as `url` with a token that works once.
  var oneTimeURL: String { get }
  /// The socket that listens.
  var listener: Int32 { get }
  /// Begins to answer; called when the wall stands.
  func start(for runtime: Runtime) throws
  /// - Parameter isForGood: whether pages need not wait for it to come again.
  func stop(isForGood: Bool)
  /// Lets developers look into the app at `inspectorURL`, where the options allow it.
  func show(_ inspected: any InspectionSource)
  /// Whether each viewer has an app of its own.
  var isPrivate: Bool { get }
}
