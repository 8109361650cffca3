import CTideSQLite
import TideBindings
import TideScript
import TideSystem

/// The location of a database file. Its folder is held open, and its files are opened relative to
/// it, so that no link created meanwhile can redirect them.
final class DatabaseFile: Sendable {
  private let place: ScriptPlace
  /// The path at the time of opening, which identifies the file and is watched.
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

  /// The folder as a path of its descriptor.
  var folder: String { "/proc/self/fd/\(place.folder)" }
  /// The file as a path of its folder's descriptor and a name. The last component must be opened
  /// without following links.
  var path: String { folder + "/" + place.name }

  /// The kind of a file, by its first bytes.
  enum Contents: Equatable {
    /// The file is missing, empty or unreadable.
    case nothing
    /// The file begins like an SQLite database and has these permissions.
    case database(mode_t)
    case other
  }

  /// Checked first, since SQLite takes some other files for new databases and overwrites them.
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

  /// Creates an empty file with permissions, which SQLite then fills. Files beside it get the same
  /// permissions.
  func begin(mode: mode_t) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(place.folder, place.name, flags, mode & 0o600)
    guard file >= 0 else { return }
    // The umask may have removed some permissions.
    fchmod(file, mode)
    close(file)
  }
}
