import TideBindings
import TideScript
import TideSystem
import TideTerminal
import TideViews

/// The file of `run --cast`: a recording of what the app shows, as time passes.
///
/// It is opened before the process is confined, because it may be in any folder.
final class CastFile {
  /// Called once if writing fails; nothing more is recorded then.
  var onFailure: (TideError) -> Void = { _ in }

  private let path: String
  private var descriptor: Int32
  private let title: String
  private var encoder = CastEncoder()
  private var hasHeader = false
  private var start: Double?
  /// Lines that are not written yet.
  private var text = ""
  private var writing: LoopTimer?

  /// Lines wait no longer than this, in seconds, and no more than these bytes.
  private static let patience = 1.0
  private static let mostWaiting = 1 << 16

  /// - Throws: `output` if the file cannot be opened.
  init(_ path: String, title: String) throws(TideError) {
    self.path = path
    self.title = title
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
    if descriptor < 0 { throw failure(errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A renderer that records what another one shows.
  func recording(_ renderer: any Renderer, in runtime: Runtime) -> any Renderer {
    ObservedRenderer(renderer) { [self, unowned runtime] changes in
      add(changes.frame, areas: changes.isWhole ? nil : changes.areas, runtime.loop)
    }
  }

  private func add(_ frame: Frame, areas: [Rect]?, _ loop: EventLoop) {
    if descriptor < 0 { return }
    let now = loop.now()
    if start == nil { start = now }
    if !hasHeader {
      hasHeader = true
      text += encoder.header(size: frame.size, title: title)
    }
    text += encoder.lines(frame, areas: areas, at: now - (start ?? now))
    if text.utf8.count > Self.mostWaiting { return write() }
    if writing != nil { return }
    writing = loop.after(Self.patience, keepsRunning: false) { [weak self] in self?.write() }
  }

  private func write() {
    writing?.cancel()
    writing = nil
    if text.isEmpty || descriptor < 0 { return }
    let problem = StandardStreams.write(text, to: descriptor)
    text = ""
    if problem == 0 { return }
    close(descriptor)
    descriptor = -1
    onFailure(failure(problem))
  }

  /// Writes what is left.
  ///
  /// - Parameter size: the terminal's size if the app has shown nothing.
  func end(size: Size) {
    if !hasHeader { text += encoder.header(size: size, title: title) }
    hasHeader = true
    write()
  }

  private func failure(_ number: Int32) -> TideError {
    TideError(.output, "\(path) cannot be written: \(String(cString: strerror(number)))")
  }
}
