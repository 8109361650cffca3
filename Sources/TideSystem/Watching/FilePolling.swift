/// Detects saves by polling files several times a second, for use where the system sends no events.
///
/// A file counts as saved once its attributes differ from those last reported and have been stable
/// for two polls, so that a file still being written is not reported.
final class FilePolling: SaveSource {
  package var onTouch: (Set<String>) -> Void = { _ in }
  package var onFailure: (SystemError) -> Void = { _ in }

  private let loop: EventLoop
  private var timer: LoopTimer?
  private var reported: [String: Look?] = [:]
  private var seen: [String: Look?] = [:]

  static let interval = 0.25

  init(_ loop: EventLoop) { self.loop = loop }

  deinit { stop() }

  package func watch(_ files: [String]) {
    // Keeps known attributes: a file may have been saved since the last poll.
    let known = reported
    reported = [:]
    for file in files { reported[file] = known[file] ?? Look(file) }
    seen = reported.merging(seen.filter { reported[$0.key] != nil }) { _, last in last }
    guard timer == nil else { return }
    timer = loop.after(Self.interval, repeating: true, keepsRunning: false) { [unowned self] in
      poll()
    }
  }

  package func stop() {
    timer?.cancel()
    timer = nil
  }

  private func poll() {
    WorkingFolder.renew()
    var touched: Set<String> = []
    for (file, before) in seen {
      let look = Look(file)
      seen[file] = look
      guard let look, look == before, look != reported[file] else { continue }
      reported[file] = look
      touched.insert(file)
    }
    if !touched.isEmpty { onTouch(touched) }
  }

  /// The attributes of a file that change when it is saved.
  private struct Look: Equatable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let time: SaveTime

    init?(_ file: String) {
      var status = stat()
      guard stat(file, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
      size = Int64(status.st_size)
      time = SaveTime(status)
    }
  }
}
