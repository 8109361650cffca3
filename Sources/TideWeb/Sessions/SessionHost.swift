import TideScript

/// Runs the app of one session, apart from all others: on a thread, or in a process of its own.
///
/// It belongs to the owner of the sessions.
protocol SessionHost: AnyObject {
  /// Passes on what a page's connection reports.
  func take(_ report: PageConnection.Report, of connection: PageConnection)
  /// Has the app end.
  ///
  /// - Parameter take: called with the values of its models before; nil where nobody wants them.
  func stop(givingValues take: (@Sendable ([UInt8]) -> Void)?)
  /// Closes the connections of its pages, which wait for the app to come again.
  func releasePages()
  /// Waits for its end, which `stop` has asked for. From the deadline on its scripts are stopped
  /// wherever they are.
  func wait(until deadline: Double)
  /// The values of its models as they were shortly before it broke; nil for none.
  var lastValues: [UInt8]? { get }
}

/// How an app of a session is made, and what is known of it before.
struct SessionPlan: Sendable {
  /// The beginning of the names of its pages.
  let pagePrefix: String
  let isDeveloping: Bool
  /// The person who opened its first page.
  let person: Viewer
  /// Whose session it is.
  let owner: SessionOwner
  /// The values of an earlier run of it.
  let kept: [UInt8]?
  /// What its pages are told first; nil for nothing.
  let notice: String?
}

/// How an app of a session has ended.
enum SessionEnding: Sendable {
  /// By itself, or because it was asked to.
  case ended
  /// It could not be made.
  case failed
  /// Its process was killed or broke, with why, for operators.
  case broken(String)
}
