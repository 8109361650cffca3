import NIOCore
import TideScript
import TideSystem

/// A page's connection in a worker; the server's process has the socket.
final class RelayedConnection: ViewerConnection {
  let number: Int
  let session: String
  let person: Viewer
  /// A worker's app has one owner, and the server sends it the pages of this owner only.
  var owner: String? { nil }
  private(set) var isClosing = false
  /// The number of times that the page has caught up.
  private var turn = 0
  private var isBehind = false
  private let report: (WorkerReport) -> Bool
  /// The largest message in bytes, so that it fits into a frame with its header.
  private static let largest = FramedChannel.Limits().frame - 1024

  /// - Parameter report: sends a report; returns false if too many bytes are waiting.
  init(
    _ number: Int, _ session: String, _ person: Viewer,
    report: @escaping (WorkerReport) -> Bool
  ) {
    self.number = number
    self.session = session
    self.person = person
    self.report = report
  }

  func noteBehind() { isBehind = true }

  func noteCaughtUp() {
    turn += 1
    isBehind = false
  }

  func send(_ message: PageMessage) -> Bool {
    if isBehind { return false }
    if isClosing { return true }
    guard message.bytes.readableBytes <= Self.largest else {
      end(PageMessage.end("The app shows more at once than its page can be sent."))
      return true
    }
    return report(.page(number, turn: turn, Array(message.bytes.readableBytesView)))
  }

  func end(_ message: PageMessage?) {
    // The server encodes the message itself.
    isClosing = true
    _ = report(.end(number, text: message?.text))
  }

  func noteRead(_ bytes: [UInt8]) { _ = report(.read(number)) }

  func closeForNow() { close(nil) }
  func refuse(_ refusal: PageRefusal) { close(refusal) }

  private func close(_ refusal: PageRefusal?) {
    isClosing = true
    _ = report(.close(number, refusal))
  }
}
