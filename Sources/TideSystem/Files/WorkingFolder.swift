/// The folder from which relative paths start.
///
/// For the kernel it is one folder for ever, although a checkout may take that away and make
/// another one of the same name. A program that is to go on with that one follows the name:
///
/// ```swift
/// WorkingFolder.follow()
/// // whenever something may have come in its place
/// WorkingFolder.renew()
/// ```
package enum WorkingFolder {
  // Unsafe, because it is set once, before the program has other threads, and only read afterwards.
  private nonisolated(unsafe) static var followed: String?

  /// Its path: that which it had first, where it is followed.
  package static var path: String { followed ?? current ?? "/" }

  /// Follows the path that it has now. To be called before the program has other threads.
  package static func follow() { followed = current }

  /// Enters the folder that the followed path names now, where it is another one and is there.
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
