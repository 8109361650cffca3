import TideScript
import TideSystem
import TideViews

/// A browser page that shows the app. It is kept when its connection is lost, so that an event that
/// the page sends again is not handled twice.
final class PageViewer {
  let session: String
  /// The owner of the page. Only the owner may reconnect as this page, and its questions may be
  /// handed over to the owner's other pages. Nil if unknown.
  let owner: String?
  /// The scene's identity of this viewer.
  let person: ScenePerson
  /// The person, as scripts read it from `viewer`.
  var details = Viewer.unknown
  var connection: (any ViewerConnection)?
  /// Closes the viewer's own dialogs after it has been disconnected for long.
  var awayTimer: LoopTimer?
  /// The number of the last event that was handled.
  var lastDone = 0
  /// The last number that was acknowledged.
  var lastAcknowledged = 0
  /// Events of this connection that were refused.
  var refusals = 0
  /// A message was dropped because too much was waiting; the whole tree is sent when it has caught
  /// up.
  var isBehind = false
  /// The number of messages sent to it. Each of its events names the last message that the page had
  /// received.
  private(set) var messages = 0
  /// The frames that the page shows, each with the first message of that frame.
  private var frames: [(message: Int, frame: Int)] = []
  /// For each text that is edited in it, the version on which its edits are based.
  private var bases: [(text: PageText, base: PageText.Base)] = []
  /// Typed text that was not stored, the number of its view, and whether its record was removed.
  var lost: (view: Int, text: String, isGone: Bool)?
  /// The latest typed entry, and earlier ones that were refused; oldest first.
  var typed: [TypedEntry] = []
  /// Drafts from before the app restarted that could not be restored.
  var lostDrafts: [String] = []
  /// Notices that the page has not confirmed yet, each with the number of its message.
  private var notices: [(message: Int, operation: WireText)] = []
  /// The size of its window in cells.
  var size: Size?
  /// The view whose press moved the focus to another view, if that press was the last event. The
  /// page sends the focus event of the press afterwards, which is then ignored.
  var pressedAway: Int?
  /// The view that was pressed last, and the last message that the page had received then.
  private var pressed: (view: Int, message: Int?)?
  /// Whether the focus must be sent to the page although it has not changed.
  var needsFocus = false
  /// The number of the view that has the focus in the page.
  var focus: Int?
  /// The scroll offsets in cells, by the number of the view.
  var offsets: [Int: Point] = [:]
  /// The view whose context menu it has asked for.
  weak var menu: View?
  /// The visible rows, by the number of the list or table.
  var rows: [Int: Range<Int>] = [:]
  /// Rows sent for the clipboard or for printing that the page has not confirmed, with the number
  /// of their message.
  var awaitedRows: [SentRows: Int] = [:]

  /// A text that was typed for a record, in the view with this number.
  struct TypedEntry {
    let view: Int
    let record: PageRecord
    /// Whether the viewer has since acted elsewhere.
    var isLeft = false
  }

  static let mostTyped = 8
  private static let mostFrames = 4096
  private static let mostBases = 256
  private static let mostNotices = 20
  private static let mostAwaited = 8
  /// The most bytes of notices, which are sent in one message with the tree.
  private static let mostTold = 64 << 10

  init(session: String, owner: String?, _ number: Int) {
    self.session = session
    self.owner = owner
    person = ScenePerson(number)
  }

  /// Records a press of a view. Returns whether the page had received nothing since it sent another
  /// press of that view, as with a double click.
  func notePress(of view: Int, at message: Int?) -> Bool {
    defer { pressed = (view, message) }
    return pressed.map { $0 == (view, message) } ?? false
  }

  /// Counts a message that is being sent, and records the frame that the page shows from then on.
  func noteMessage(of frame: Int) {
    messages += 1
    if frames.last?.frame == frame { return }
    frames.append((messages, frame))
    if frames.count <= Self.mostFrames { return }
    frames.removeFirst(Self.mostFrames / 2)
  }

  /// The frame that the page showed after it received a message. Nil if the frame is forgotten, or
  /// if the message is from a former run of the app.
  func frame(at message: Int) -> Int? {
    if message > messages { return nil }
    // Find the first frame whose message is later.
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle].message <= message { low = middle + 1 } else { high = middle }
    }
    // Earlier frames are forgotten, or were shown to other viewers only.
    return low > 0 ? frames[low - 1].frame : nil
  }

  /// Records a notice that the last message carries, or the next one if messages are held back. The
  /// notice is sent again after the connection is lost.
  func noteNotice(_ operation: WireText) {
    notices.append((isBehind ? .max : messages, operation))
    while notices.count > Self.mostNotices
      || notices.count > 1
        && notices.reduce(0, { $0 + $1.operation.text.utf8.count }) > Self.mostTold
    { notices.removeFirst() }
  }

  /// Notes that the page has received all messages up to this one.
  func noteTaken(_ message: Int) {
    notices.removeAll { $0.message <= message }
    if !awaitedRows.isEmpty { awaitedRows = awaitedRows.filter { $0.value > message } }
  }

  /// Whether rows have been sent and not been confirmed, so that they are not sent twice. Only a
  /// few requests are remembered.
  func isAwaitingRows(_ rows: SentRows) -> Bool {
    if awaitedRows.count > Self.mostAwaited { awaitedRows = [:] }
    return awaitedRows[rows] != nil
  }

  /// Removes and returns the unconfirmed notices, which are then sent again.
  func takeNotices() -> [WireText] {
    defer { notices = [] }
    return notices.map(\.operation)
  }

  /// Applies an edit that was made on a frame's text to the present text, and returns the offset
  /// after it. Frame `.max` stands for the present text.
  func enter(
    _ edit: PageEdit, in text: PageText, at frame: Int, for next: Int
  ) throws(PageText.Fault) -> Int {
    let index = bases.firstIndex { $0.text === text }
    var base: PageText.Base
    if let index, frame != .max, bases[index].base.frame >= frame {
      if bases[index].base.frame > frame { throw .tooOld }
      base = bases[index].base
    } else {
      base = try text.base(in: frame, of: self)
    }
    let place = try text.enter(edit, on: &base, in: next)
    if let index { bases.remove(at: index) }
    bases.append((text, base))
    if bases.count > Self.mostBases { bases.removeFirst() }
    return place
  }
}
