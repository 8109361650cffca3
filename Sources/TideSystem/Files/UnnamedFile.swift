import CTideSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that are not to be seen before they are complete.
package enum UnnamedFile {
  /// One in a folder, open for writing; -1 with `errno`, also where the file system has none.
  package static func make(in folder: String) -> Int32 { tide_open_unnamed(folder, 0o666) }

  /// Gives it a name in its folder, which nothing may bear; the error's number, or 0.
  package static func name(_ descriptor: Int32, _ path: String) -> Int32 {
    let unnamed = "/proc/self/fd/\(descriptor)"
    return linkat(AT_FDCWD, unnamed, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
  }
}
