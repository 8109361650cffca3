/// What files held when they were last looked at, so that a save without a change can be told from
/// one with.
struct SavedContents {
  private var known: [String: Fingerprint] = [:]
  private static let room = 65_536

  /// A file's size and a hash of its bytes.
  private struct Fingerprint: Equatable {
    var count = 0
    var hash = 0
  }

  /// Looks at files that were not known, and forgets all others.
  ///
  /// - Parameter start: when somebody began to read the new ones; nil if nobody has.
  /// - Returns: those that were saved since, perhaps after they had been read.
  mutating func keep(_ files: [String], readSince start: SaveTime?) -> Set<String> {
    var kept: [String: Fingerprint] = [:]
    var doubtful: Set<String> = []
    for file in files {
      if let print = known[file] {
        kept[file] = print
      } else if let start, let saved = SaveTime(of: file), saved >= start {
        doubtful.insert(file)
      } else {
        kept[file] = Self.read(file)
      }
    }
    known = kept
    return doubtful
  }

  /// Whether a file holds something else than when this was last asked. One that is not there
  /// counts as unchanged: it may be about to come back.
  mutating func hasChanged(_ file: String) -> Bool {
    guard let now = Self.read(file), now != known[file] else { return false }
    known[file] = now
    return true
  }

  /// Lets files that are not there count as changed when they come back, even as they were.
  mutating func forgetMissing() {
    known = known.filter { access($0.key, F_OK) == 0 }
  }

  private static func read(_ file: String) -> Fingerprint? {
    // A pipe would keep the loop waiting.
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
