import CTideSystem

/// Files that have no name until they are complete.
package enum UnnamedFile {
  /// Makes one in a folder, open for writing; -1 with `errno`, also where the file system does not
  /// support it.
  package static func make(in folder: String) -> Int32 { tide_open_unnamed(folder, 0o666) }

  /// Gives it a name in its folder, which must not be taken. Gives 0 or an error number.
  package static func name(_ descriptor: Int32, _ path: String) -> Int32 {
    let unnamed = "/proc/self/fd/\(descriptor)"
    return linkat(AT_FDCWD, unnamed, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
  }
}
