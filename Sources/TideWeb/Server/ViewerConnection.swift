import TideScript

/// A page's connection, as the renderer of its app uses it: in this process, or through the server
/// of the process that this one works for.
protocol ViewerConnection: AnyObject {
  var number: Int { get }
  /// The page's name from an earlier connection; empty for a new page.
  var session: String { get }
  /// Who holds its place, as far as that is known and others use the same app.
  var owner: String? { get }
  /// The person at the page.
  var person: Viewer { get }
  /// Whether it is about to be closed: what comes and has come is not looked at any more.
  var isClosing: Bool { get }
  /// Sends a message. False if too much is waiting already: the message is dropped, and `caughtUp`
  /// is reported when the viewer has read the rest.
  func send(_ message: PageMessage) -> Bool
  /// Sends a last message, if any, and closes when it has left.
  func end(_ message: PageMessage?)
  /// The app has looked at a message.
  func noteRead(_ bytes: [UInt8])
  /// Closes it, so that the page comes again.
  func closeForNow()
  /// Closes the connection with the reason.
  func refuse(_ refusal: PageRefusal)
}

extension PageConnection: ViewerConnection {
  var owner: String? { holder.owner }
  func closeForNow() { close() }
}
