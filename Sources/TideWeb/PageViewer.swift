import TideScript
import TideSystem
import TideViews

/// A browser page that shows the app. It is kept when its connection is lost, so that an event that
/// the page sends again is not handled twice.
final class PageViewer {
  let session: String
  /// Who holds its place: the only one who may come again as this page, and to whose other pages
  /// its questions may go. Nil if unknown.
  let owner: String?
  /// By whom the scene tells people apart.
  let person: ScenePerson
  /// The person, as scripts read it from `viewer`.
  var details = Viewer.unknown
  var connection: (any ViewerConnection)?
  /// While it is away, closes what is for it alone.
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
  /// How many messages it has been sent, by which its events say what they were made on.
  private(set) var messages = 0
  /// From which message on it shows which frame.
  private var frames: [(message: Int, frame: Int)] = []
  /// Of texts that are edited in it, what it shows of them.
  private var bases: [(text: PageText, base: PageText.Base)] = []
  /// What was typed and is in no record, in the view with this number, and whether its record is
  /// gone.
  var lost: (view: Int, text: String, isGone: Bool)?
  /// The records for which texts were typed, the latest last; of earlier ones those that are refused.
  var typed: [TypedEntry] = []
  /// What was typed in the page before the app began anew, and is in no record.
  var lostDrafts: [String] = []
  /// What it was told was not done, by the message, until it is known to have taken that in.
  private var notices: [(message: Int, operation: WireText)] = []
  /// The size of its window in cells.
  var size: Size?
  /// The view whose press moved the focus to another view, if that press was the last event. The
  /// page sends the focus event of the press afterwards, which is then ignored.
  var pressedAway: Int?
  /// Whether the page has to be told the focus although it has not changed.
  var needsFocus = false
  /// The number of the view that has the focus in it.
  var focus: Int?
  /// How far it has been scrolled, in cells, by the number of the view.
  var offsets: [Int: Point] = [:]
  /// The view whose context menu it has asked for.
  weak var menu: View?
  /// The rows in sight, by the number of the list or table.
  var rows: [Int: Range<Int>] = [:]
  /// Rows for the clipboard or for paper that the page is not known to have received, with the
  /// message that has them.
  var awaitedRows: [SentRows: Int] = [:]

  /// A text that was typed for a record, in the view with this number.
  struct TypedEntry {
    let view: Int
    let record: PageRecord
    /// Whether the viewer has gone on to something else since.
    var isLeft = false
  }

  static let mostTyped = 8
  private static let mostFrames = 4096
  private static let mostBases = 256
  private static let mostNotices = 20
  private static let mostAwaited = 8
  /// Bytes of notices, so that they go together with the tree.
  private static let mostTold = 64 << 10

  init(session: String, owner: String?, _ number: Int) {
    self.session = session
    self.owner = owner
    person = ScenePerson(number)
  }

  /// A message is on its way that tells of a frame, as far as the page does not know it yet.
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
    // The first one that comes later.
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle].message <= message { low = middle + 1 } else { high = middle }
    }
    // What was shown before its first message was shown to others.
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

  /// The page has taken in a message.
  func noteTaken(_ message: Int) {
    notices.removeAll { $0.message <= message }
    if !awaitedRows.isEmpty { awaitedRows = awaitedRows.filter { $0.value > message } }
  }

  /// Whether rows are on their way to the page, so that they are not sent once more. No more than
  /// some are remembered.
  func isAwaitingRows(_ rows: SentRows) -> Bool {
    if awaitedRows.count > Self.mostAwaited { awaitedRows = [:] }
    return awaitedRows[rows] != nil
  }

  /// What it may not have been told of, to be told again.
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
