/// The limits of what a page may send. Pages receive them when they connect, and warn their person
/// before exceeding one; the server refuses events beyond them from any client.
enum PageLimits {
  /// Bytes of a message.
  static let message = 1 << 20
  /// Rows that are requested at once: more than any screen shows.
  static let rows = 500
  /// A scroll offset in cells; a larger one is clamped.
  static let cells = 1_000_000
  /// Levels of a menu; deeper levels are not sent to pages.
  static let levels = 20
  /// Refused events of one connection before it is closed.
  static let refusals = 100

  /// The limits that pages receive.
  static var wireMembers: [(name: String, json: String)] {
    [("message", message), ("rows", rows)].map { ($0, "\($1)") }
  }
}
