/// When a file was saved, by the clock that files go by.
package struct SaveTime: Comparable {
  private let seconds: Int
  private let nanoseconds: Int

  /// Now: no save that is still to come has an earlier time.
  package static var now: SaveTime {
    var time = timespec()
    // The kernel gives files the time of its last tick, which is some milliseconds ago.
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return SaveTime(time)
  }

  /// Nil when there is no such file.
  init?(of file: String) {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) { self.init(status.st_mtim) }

  private init(_ time: timespec) {
    seconds = time.tv_sec
    nanoseconds = time.tv_nsec
  }

  package static func < (one: SaveTime, other: SaveTime) -> Bool {
    (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
  }
}
