import TideBindings
import TideSystem

/// The folder that holds one named socket for each running app.
///
/// ```swift
/// let apps = RunningApp.all(in: RuntimeFolder(path: "/run/fruit"))
/// ```
///
/// The default is `tidelock` below `$XDG_RUNTIME_DIR` if that folder belongs to the user, else
/// `/tmp/tidelock-` followed by the user's number. Other users have no access to it.
public struct RuntimeFolder: Sendable {
  /// The folder's path.
  public let path: String

  /// Makes a folder value for a path; creates nothing.
  public init(path: String) { self.path = path }

  /// The current user's default folder.
  public static var standard: RuntimeFolder {
    if let base = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), base.hasPrefix("/"),
      let status = status(of: base, following: true), status.st_uid == geteuid()
    {
      return RuntimeFolder(path: base + "/tidelock")
    }
    return RuntimeFolder(path: "/tmp/tidelock-\(geteuid())")
  }

  /// Creates the folder if it is missing. Throws if other users can access it.
  func prepare() throws(TideError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw .attach("the folder \(path) cannot be made", errno)
    }
    try check()
  }

  /// Why no app can listen in the folder; nil if one can, or if the folder can be created.
  package var problem: String? {
    if access(path, F_OK) != 0 {
      let above = SystemPath.folder(of: path)
      return access(above, W_OK) == 0 ? nil : "the folder \(path) cannot be made"
    }
    do { try check() } catch { return error.message }
    return nil
  }

  /// Throws unless the path is a folder of this user that other users cannot access.
  func check() throws(TideError) {
    guard let status = Self.status(of: path, following: false) else {
      throw .attach("the folder \(path) cannot be read", errno)
    }
    if status.st_uid != geteuid() {
      throw TideError(.attach, "the folder \(path) belongs to another user")
    }
    if status.st_mode & 0o077 != 0 {
      throw TideError(
        .attach, "others may use the folder \(path); take that from them: chmod 700 \(path)")
    }
  }

  private static func status(of path: String, following: Bool) -> stat? {
    var status = stat()
    guard (following ? stat(path, &status) : lstat(path, &status)) == 0,
      status.st_mode & S_IFMT == S_IFDIR
    else { return nil }
    return status
  }

  /// The names of the folder's visible entries, sorted.
  var entries: [String] {
    (ReadableFile.names(in: path) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }
}
