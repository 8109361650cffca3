/// Attributes of a file that change with its contents.
package struct FileStamp: Equatable, Sendable {
  private let device: UInt
  private let number: UInt
  package let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The stamp of a file; nil if it does not exist.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }

  /// Whether the file was written so recently that another write may leave the same stamp: file
  /// system clocks tick every few milliseconds. The idea is from Git's index.
  package var isRecent: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = (Int(now.tv_sec) - seconds) * 1_000_000_000 + Int(now.tv_nsec) - nanoseconds
    return age < 20_000_000
  }
}
