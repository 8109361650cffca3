/// What waits to be written to one connection, and what its other end is about.
///
/// A reader that is slow costs the app no more than this holds: lines that the app prints are left
/// out then, and counted.
struct Outbox {
  private(set) var bytes: [UInt8] = []
  /// Taken to be written, and not written yet.
  var underWay = 0
  private var leftOut = 0
  /// Requests that have been handed on and not been answered.
  var pending = 0
  /// Whether what runs for it is to stop.
  var isInterrupted = false
  /// More than may wait: the connection has to end.
  private(set) var isOverfull = false

  /// Printed lines wait up to this.
  static let outputLimit = 4 << 20
  /// Answers too, up to this.
  private let limit: Int

  init(limit: Int = 64 << 20) { self.limit = limit }

  var backlog: Int { bytes.count + underWay }

  /// What has to arrive: a message as bytes.
  mutating func add(_ line: [UInt8]) {
    noteLeftOut()
    append(line)
  }

  /// A line that was printed, which may be left out.
  mutating func addOutput(_ message: @autoclosure () -> Message) {
    guard backlog < Self.outputLimit else {
      leftOut += 1
      return
    }
    if backlog < Self.outputLimit / 2 { noteLeftOut() }
    if leftOut > 0 { leftOut += 1 } else { append(message().bytes) }
  }

  private mutating func noteLeftOut() {
    if leftOut == 0 { return }
    let lines = leftOut == 1 ? "1 line was" : "\(leftOut) lines were"
    leftOut = 0
    append(
      Message("notice", ["text": .text("(\(lines) printed faster than they could be read)")]).bytes)
  }

  private mutating func append(_ line: [UInt8]) {
    if isOverfull { return }
    bytes += line
    guard backlog > limit else { return }
    isOverfull = true
    bytes = []
  }

  /// What is to be written next.
  mutating func take() -> [UInt8] {
    let taken = bytes
    bytes = []
    underWay += taken.count
    return taken
  }
}
