import TideViews

/// A browser page that shows the app. It is kept when its connection is lost, so that an event that
/// the page sends again is not handled twice.
final class PageViewer {
  let session: String
  var connection: (any ViewerConnection)?
  /// The number of the last event that was handled.
  var lastDone = 0
  /// The last number that was acknowledged.
  var lastAcknowledged = 0
  /// Events of this connection that were refused.
  var refusals = 0
  /// A message was dropped because too much was waiting; the whole tree is sent when it has caught
  /// up.
  var isBehind = false
  /// What was typed since the last acknowledgement, by the field's number.
  var typed: [Int: String] = [:]
  /// The size of its window in cells.
  var size: Size?
  /// The number of the view that has the focus in it.
  var focus: Int?
  /// How far it has been scrolled, in cells, by the number of the view.
  var offsets: [Int: Point] = [:]
  /// The view whose context menu it has asked for.
  weak var menu: View?
  /// The rows in sight, by the number of the list or table.
  var rows: [Int: Range<Int>] = [:]

  init(session: String) { self.session = session }
}
