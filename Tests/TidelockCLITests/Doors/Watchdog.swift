import Glibc
import OwnThread
import Synchronization

/// Ends the whole process, with a word about what it was doing, when that takes much too long: what
/// hangs within the process cannot be ended otherwise.
final class Watchdog: Sendable {
  private let isOver = Atomic(false)

  init(_ work: String, seconds: Int = 120) {
    let watch = self
    spawnThread {
      for _ in 0..<seconds * 10 {
        usleep(100_000)
        if watch.isOver.load(ordering: .relaxed) { return }
      }
      let text = "it hangs: \(work)\n"
      _ = write(2, text, text.utf8.count)
      abort()
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}
