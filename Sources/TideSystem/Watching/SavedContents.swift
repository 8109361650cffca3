/// Fingerprints of files, to detect saves that do not change the contents.
struct SavedContents {
  private var known: [String: Fingerprint] = [:]
  private static let room = 65_536

  /// A file's size and a hash of its contents.
  private struct Fingerprint: Equatable {
    var count = 0
    var hash = 0
  }

  /// Reads files that were not known, and forgets all files that are not listed.
  ///
  /// - Parameter start: when the app began to read the new files; nil if it has not.
  /// - Returns: files that were saved since then, perhaps after they had been read.
  mutating func keep(_ files: [String], readSince start: SaveTime?) -> Set<String> {
    var kept: [String: Fingerprint] = [:]
    var doubtful: Set<String> = []
    for file in files {
      if let print = known[file] {
        kept[file] = print
        continue
      }
      let print = Self.read(file)
      // Compared after reading, because a save before it is in what was read, but not in the app.
      if let start, let saved = SaveTime(of: file), saved >= start {
        doubtful.insert(file)
      } else {
        kept[file] = print
      }
    }
    known = kept
    return doubtful
  }

  /// Whether a file's contents have changed since the previous call. A missing file counts as
  /// unchanged, because it may be about to reappear.
  mutating func hasChanged(_ file: String) -> Bool {
    guard let now = Self.read(file), now != known[file] else { return false }
    known[file] = now
    return true
  }

  /// Makes missing files count as changed when they reappear, even with their old contents.
  mutating func forgetMissing() {
    known = known.filter { access($0.key, F_OK) == 0 }
  }

  private static func read(_ file: String) -> Fingerprint? {
    // Non-blocking, because opening a pipe would block the loop.
    let descriptor = ReadableFile.open(file, O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var print = Fingerprint()
    var hasher = Hasher()
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
    defer { bytes.deallocate() }
    while true {
      let count = Glibc.read(descriptor, bytes.baseAddress, room)
      if count < 0 { return nil }
      if count == 0 { break }
      print.count += count
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
    print.hash = hasher.finalize()
    return print
  }
}

/// The modification time of a file, by the clock of file systems.
package struct SaveTime: Comparable {
  private let seconds: Int
  private let nanoseconds: Int

  /// The current time; later saves never have an earlier time.
  package static var now: SaveTime {
    var time = timespec()
    // The kernel uses the time of its last tick for files, which may be some milliseconds old.
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return SaveTime(time)
  }

  /// Nil if the file does not exist.
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
