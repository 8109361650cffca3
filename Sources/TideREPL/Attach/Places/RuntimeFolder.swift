import TideBindings
import TideSystem

/// The folder in which running apps can be found: for each a socket that bears its name.
///
/// ```swift
/// let apps = RunningApp.all(in: RuntimeFolder(path: "/run/fruit"))
/// ```
///
/// It is `tidelock` below `$XDG_RUNTIME_DIR` where that is a folder of the user's own, else
/// `/tmp/tidelock-` and the user's number. Nobody else may look into it.
public struct RuntimeFolder: Sendable {
  /// Where the folder lies.
  public let path: String

  /// Names a folder in which apps listen.
  public init(path: String) { self.path = path }

  /// The user's.
  public static var standard: RuntimeFolder {
    if let base = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), base.hasPrefix("/"),
      let status = status(of: base, following: true), status.st_uid == geteuid()
    {
      return RuntimeFolder(path: base + "/tidelock")
    }
    return RuntimeFolder(path: "/tmp/tidelock-\(geteuid())")
  }

  /// Makes it where it is missing, and throws where others may look into it.
  func prepare() throws(TideError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw .attach("the folder \(path) cannot be made", errno)
    }
    try check()
  }

  /// Why nothing can listen there; nil where something can, or where the folder can still be made.
  package var problem: String? {
    if access(path, F_OK) != 0 {
      let above = SystemPath.folder(of: path)
      return access(above, W_OK) == 0 ? nil : "the folder \(path) cannot be made"
    }
    do { try check() } catch { return error.message }
    return nil
  }

  /// Throws unless it is a folder of the user's own that nobody else may use.
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

  /// The names of what is in it, sorted.
  var entries: [String] {
    (ReadableFile.names(in: path) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }
}
