import TideScript
import TideSystem

/// Notices that files appear in folders, or go.
///
/// Where the system cannot report that, nothing is noticed.
final class FolderChanges {
  var onChange: () -> Void = {}

  private let loop: EventLoop
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private var quiet: LoopTimer?
  private var folders: [String: Int32] = [:]

  /// How long nothing has to happen, in seconds.
  private static let quietTime = 0.02
  private static let mask = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ONLYDIR)

  init(_ loop: EventLoop) {
    self.loop = loop
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    watch = try? loop.watch(descriptor: descriptor) { [unowned self] in read() }
  }

  deinit {
    watch?.cancel()
    quiet?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Watches these folders, and no others any more.
  func watch(_ wanted: [String]) {
    guard descriptor >= 0 else { return }
    for (folder, number) in folders where !wanted.contains(folder) {
      inotify_rm_watch(descriptor, number)
      folders[folder] = nil
    }
    // Also those that are watched: one may have been made anew.
    for folder in wanted {
      let number = inotify_add_watch(descriptor, folder, Self.mask)
      folders[folder] = number >= 0 ? number : nil
    }
  }

  private func read() {
    var room = [UInt8](repeating: 0, count: 16_384)
    while Glibc.read(descriptor, &room, room.count) > 0 {}
    quiet?.cancel()
    quiet = loop.after(Self.quietTime, keepsRunning: false) { [unowned self] in onChange() }
  }
}
