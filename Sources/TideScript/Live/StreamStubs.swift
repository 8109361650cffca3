import TideBindings
import TideGraph
import TideSystem

/// A stub of a program or of standard input: puts the lines of a text into a stream, some time of
/// the virtual clock after it begins.
final class GivenStream: StreamSource {
  private let feed: LineFeed
  private let text: [UInt8]
  private let delay: Double
  /// The error that the stream ends with.
  private let error: TideError?
  private let home: Home
  private let context: BindingContext
  private var timer: LoopTimer?
  private var entry: ContextEntry?

  init(
    _ feed: LineFeed, _ text: [UInt8], after delay: Double = 0, error: TideError? = nil,
    in runtime: Runtime
  ) {
    self.feed = feed
    self.text = text
    self.delay = delay
    self.error = error
    home = runtime.home
    context = runtime.context
  }

  func begin() {
    feed.begin()
    entry = entry ?? context.own { [weak self] in self?.cancel() }
    timer = home.runtime?.loop.after(delay) { [weak self] in
      guard let self else { return }
      text.withUnsafeBytes { _ = feed.receive($0) }
      feed.finish(error)
    }
  }

  func cancel() {
    timer?.cancel()
    feed.end()
  }

  func refresh() throws {
    cancel()
    try feed.list.restart()
    begin()
  }
}

/// Puts the lines of a stubbed file into a stream.
final class StubStream: StreamSource {
  private let feed: LineFeed
  private let stub: FileStub
  private let path: String
  private let home: Home
  private let context: BindingContext
  private let follows: Bool
  private let firstLines: Int?
  private var offset = 0
  private var isOver = false
  private var entry: ContextEntry?

  init(
    _ feed: LineFeed, _ stub: FileStub, _ path: String, in runtime: Runtime, follows: Bool,
    firstLines: Int?
  ) {
    self.feed = feed
    self.stub = stub
    self.path = path
    self.follows = follows
    self.firstLines = firstLines
    home = runtime.home
    context = runtime.context
  }

  func begin() throws {
    isOver = false
    offset = 0
    feed.begin()
    entry = entry ?? context.own { [weak self] in self?.cancel() }
    home.runtime?.loop.after(0) { [weak self] in self?.readFirst() }
  }

  private func readFirst() {
    guard !isOver else { return }
    do {
      let bytes = try stub.contents(path)
      if let firstLines {
        let ends = bytes.indices.dropLast().filter { bytes[$0] == UInt8(ascii: "\n") }
        if firstLines == 0 {
          offset = bytes.count
        } else if ends.count >= firstLines {
          offset = ends[ends.count - firstLines] + 1
        }
      }
      readOn()
    } catch {
      guard follows else { return feed.end(TideError(script: error)) }
      feed.list.note(TideError(script: error))
    }
    guard follows else { return feed.finish() }
    stub.observe(in: context) { [weak self] in self?.readOn() }
  }

  private func readOn() {
    guard !isOver, let bytes = stub.bytes else { return }
    if bytes.count < offset { offset = 0 }
    bytes[offset...].withUnsafeBytes { _ = feed.receive($0) }
    offset = bytes.count
  }

  func cancel() {
    isOver = true
    feed.end()
  }

  func refresh() throws {
    cancel()
    try feed.list.restart()
    try begin()
  }
}
