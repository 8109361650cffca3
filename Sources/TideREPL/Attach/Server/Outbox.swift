/// The bytes waiting to be written to one connection, and the state of its requests.
///
/// The memory for a slow reader is bounded: beyond a limit, lines that the app prints are dropped
/// and counted.
struct Outbox {
  private(set) var bytes: [UInt8] = []
  /// The number of bytes taken by the socket thread but not yet written.
  var underWay = 0
  private var leftOut = 0
  /// The number of requests passed to the app and not yet answered.
  var pending = 0
  /// Whether the client has asked to interrupt its running request.
  var isInterrupted = false
  /// Whether the limit is exceeded, so that the connection must be closed.
  private(set) var isOverfull = false

  /// The limit for printed lines, in bytes.
  static let outputLimit = 4 << 20
  /// The limit for all messages, in bytes.
  private let limit: Int

  init(limit: Int = 64 << 20) { self.limit = limit }

  var backlog: Int { bytes.count + underWay }

  /// Adds a message that must not be dropped.
  mutating func add(_ line: [UInt8]) {
    noteLeftOut()
    append(line)
  }

  /// Adds a printed line, which may be dropped.
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

  /// Takes all waiting bytes for writing.
  mutating func take() -> [UInt8] {
    let taken = bytes
    bytes = []
    underWay += taken.count
    return taken
  }
}
