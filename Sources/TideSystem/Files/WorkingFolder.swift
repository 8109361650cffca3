/// The folder from which relative paths are resolved.
///
/// For the kernel it is always the same folder, even if a checkout removes it and creates another
/// one of the same name. A program that should then use the new folder follows the path:
///
/// ```swift
/// WorkingFolder.follow()
/// // whenever the folder may have been replaced
/// WorkingFolder.renew()
/// ```
package enum WorkingFolder {
  // Unsafe, because it is set once, before the program has other threads, and only read afterwards.
  private nonisolated(unsafe) static var followed: String?

  /// The path that was followed, or else the current one.
  package static var path: String { followed ?? current ?? "/" }

  /// Follows the current path. Call it before the program has other threads.
  package static func follow() { followed = current }

  /// Changes to the folder that the followed path now refers to, if it exists and differs.
  package static func renew() {
    guard let followed else { return }
    var named = stat()
    var entered = stat()
    guard stat(followed, &named) == 0 else { return }
    if stat(".", &entered) == 0, entered.st_ino == named.st_ino, entered.st_dev == named.st_dev {
      return
    }
    _ = chdir(followed)
  }

  private static var current: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
