import TideBindings
import TideScript
import TideSystem

/// Locks that let only one program at a time keep a model in a database.
///
/// A lock is one byte of a file beside the database, at an offset computed from the model's name.
/// The system releases it when the program ends, in whatever way.
final class KeeperLock {
  private let file: Int32

  /// - Parameter path: the path of the database.
  init(_ path: String) {
    file = open(path + "-keepers", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  deinit { if file >= 0 { close(file) } }

  /// Acquires the lock of a name. Returns true if the lock file cannot be created, since then no
  /// other program has a lock either.
  func take(_ name: String) -> Bool {
    if file < 0 { return true }
    // Another program may be cleaning up for some milliseconds.
    _ = set(F_RDLCK, from: 0, waits: true)
    defer { _ = set(F_UNLCK, from: 0) }
    if set(F_WRLCK, from: Self.offset(of: name)) { return true }
    // On a file system without locks, no other program has a lock either.
    return errno != EAGAIN && errno != EACCES
  }

  func giveBack(_ name: String) { _ = set(F_UNLCK, from: Self.offset(of: name)) }

  /// Runs a function while no program keeps anything in the database. Does nothing if one does.
  func whileNobodyKeeps<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
    if file < 0 { return try body() }
    guard set(F_WRLCK, from: 0) else { return }
    defer { _ = set(F_UNLCK, from: 0) }
    var range = Self.range(F_WRLCK, from: 1, count: 0)
    guard fcntl(file, Self.getLock, &range) == 0, range.l_type == Int16(F_UNLCK) else { return }
    try body()
  }

  private func set(_ kind: Int32, from start: off_t, waits: Bool = false) -> Bool {
    guard file >= 0 else { return true }
    var range = Self.range(kind, from: start, count: 1)
    return fcntl(file, waits ? Self.waitForLock : Self.setLock, &range) == 0
  }

  /// - Parameter count: the number of bytes; 0 for all up to the end.
  private static func range(_ kind: Int32, from start: off_t, count: off_t) -> flock {
    var range = flock()
    range.l_type = Int16(kind)
    range.l_whence = Int16(SEEK_SET)
    (range.l_start, range.l_len) = (start, count)
    return range
  }

  /// Locks of the open file description, so that two runtimes of one process exclude each other as
  /// well. The header defines the constants only for GNU sources.
  private static let (getLock, setLock, waitForLock): (Int32, Int32, Int32) = (36, 37, 38)

  /// An offset from 62 bits of a SHA-256 hash. With a hash that is not cryptographic, a person
  /// could choose a name that locks out another person. Byte 0 is for the clean-up.
  private static func offset(of name: String) -> off_t {
    let hash = SHA256.hash(Array(name.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return off_t(hash >> 2) + 1
  }

  /// The machine's name.
  static var machine: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "this machine" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
