/// A browser page that shows the app: what it has done, and which rows it looks at. It outlives its
/// connection, so that nothing is done twice that a page sends again.
final class PageViewer {
  let session: String
  var connection: PageConnection?
  /// The number of the last event that was done.
  var lastDone = 0
  /// The number that the page was told last.
  var lastAcknowledged = 0
  /// It could not take all that was sent; it gets the whole tree when it can.
  var isBehind = false
  /// What was typed since it was told last, by the field's number.
  var typed: [Int: String] = [:]
  /// By the number of a view of rows.
  var rows: [Int: Range<Int>] = [:]

  init(session: String) { self.session = session }
}
