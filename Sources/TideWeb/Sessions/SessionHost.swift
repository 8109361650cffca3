import TideScript

/// Runs the app of one session, apart from all others: on a thread, or in a process of its own.
///
/// It belongs to the owner of the sessions.
protocol SessionHost: AnyObject {
  /// Passes on what a page's connection reports.
  func take(_ report: PageConnection.Report, of connection: PageConnection)
  /// Ends the app.
  ///
  /// - Parameter take: receives the values of its models before the end; nil if they are not
  ///   needed.
  func stop(givingValues take: (@Sendable ([UInt8]) -> Void)?)
  /// Closes the connections of its pages, which then try to reconnect.
  func releasePages()
  /// Waits for the end that `stop` has requested. From the deadline on the app's scripts are
  /// interrupted.
  func wait(until deadline: Double)
  /// The values of its models as they were shortly before it crashed; nil for none.
  var lastValues: [UInt8]? { get }
}

/// The configuration of a session's app.
struct SessionPlan: Sendable {
  /// The prefix of its pages' names.
  let pagePrefix: String
  let isDeveloping: Bool
  /// The person who opened its first page.
  let person: Viewer
  /// The owner of the session.
  let owner: SessionOwner
  /// The values of the session's earlier run; nil for none.
  let kept: [UInt8]?
  /// The notice that its pages show first; nil for none.
  let notice: String?
}

/// How an app of a session has ended.
enum SessionEnding: Sendable {
  /// It ended by itself or on request.
  case ended
  /// It could not be started.
  case failed
  /// Its process crashed or was killed, with the reason for operators.
  case broken(String)
}
