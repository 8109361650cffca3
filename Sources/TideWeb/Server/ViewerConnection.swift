import TideScript

/// A page's connection, as the renderer of its app uses it: a direct one, or in a worker one
/// through the server.
protocol ViewerConnection: AnyObject {
  var number: Int { get }
  /// The page's name from an earlier connection; empty for a new page.
  var session: String { get }
  /// The owner of the page; nil if unknown, or if the app has only one owner.
  var owner: String? { get }
  /// The person at the page.
  var person: Viewer { get }
  /// Whether the connection is about to close. The app no longer handles its messages.
  var isClosing: Bool { get }
  /// Sends a message. False if too much is waiting already: the message is dropped, and `caughtUp`
  /// is reported when the viewer has read the rest.
  func send(_ message: PageMessage) -> Bool
  /// Sends a last message, if any, and closes the connection when it has been written.
  func end(_ message: PageMessage?)
  /// Notes that the app handles a message.
  func noteRead(_ bytes: [UInt8])
  /// Closes the connection so that the page reconnects.
  func closeForNow()
  /// Closes the connection with the reason.
  func refuse(_ refusal: PageRefusal)
}

extension PageConnection: ViewerConnection {
  var owner: String? { holder.owner }
  func closeForNow() { close() }
}
