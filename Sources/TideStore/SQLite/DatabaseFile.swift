import CTideSQLite
import TideBindings
import TideScript
import TideSystem

/// Where a database's file is. Its folder is held open, and its files are opened from there, so
/// that no link which is made meanwhile leads elsewhere.
final class DatabaseFile: Sendable {
  private let place: ScriptPlace
  /// The path when the database was opened, by which it is known and watched.
  let name: String

  init(_ place: ScriptPlace) throws {
    self.place = place
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(place.folder)", &buffer, buffer.count - 1)
    guard count > 0 else {
      throw TideError(.store, "\"\(place.name.inMessage)\": \(SystemText.of(errno))")
    }
    let folder = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    name = folder == "/" ? "/" + place.name : folder + "/" + place.name
    var information = stat()
    if fstatat(place.folder, place.name, &information, AT_SYMLINK_NOFOLLOW) == 0,
      information.st_mode & S_IFMT != S_IFREG
    {
      throw TideError(.store, "\"\(place.name.inMessage)\" is no file")
    }
  }

  /// The folder as its descriptor.
  var folder: String { "/proc/self/fd/\(place.folder)" }
  /// The file as its folder's descriptor and a name. The last component is to be opened without
  /// following a link.
  var path: String { folder + "/" + place.name }

  /// What a file holds, by its first bytes.
  enum Contents: Equatable {
    /// There is no file, or nothing in it, or it cannot be read.
    case nothing
    /// It begins like a database of SQLite's, and has these permissions.
    case database(mode_t)
    case other
  }

  /// SQLite takes some files for new databases which are none, and writes over them.
  var contents: Contents {
    var information = stat()
    guard fstatat(place.folder, place.name, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
      return .nothing
    }
    if information.st_mode & S_IFMT != S_IFREG { return .other }
    if information.st_size == 0 { return .nothing }
    var start = [UInt8](repeating: 0, count: Self.mark.count)
    let count = tide_sqlite_read_start(path, &start, Int32(start.count))
    if count < 0 { return .nothing }
    if count < start.count || start != Self.mark { return .other }
    return .database(information.st_mode & 0o777)
  }

  private static let mark = Array("SQLite format 3\0".utf8)

  /// Makes an empty file with permissions, which SQLite then fills. The files beside it get the
  /// same ones.
  func begin(mode: mode_t) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(place.folder, place.name, flags, mode & 0o600)
    guard file >= 0 else { return }
    // The process's mask may have taken some away.
    fchmod(file, mode)
    close(file)
  }
}
