/// What a page may send at most. Pages are told when they connect, and say so before they would
/// send more; a server refuses more from whoever sends it.
enum PageLimits {
  /// Bytes of a message.
  static let message = 1 << 20
  /// Rows that are asked for at once: more than any screen shows.
  static let rows = 500
  /// A scroll offset in cells; one beyond it counts as that.
  static let cells = 1_000_000
  /// Levels of a menu; pages are sent no deeper ones.
  static let levels = 20
  /// Events of one connection that are refused before it is closed.
  static let refusals = 100

  /// As pages are told.
  static var wireMembers: [(name: String, json: String)] {
    [("message", message), ("rows", rows)].map { ($0, "\($1)") }
  }
}
