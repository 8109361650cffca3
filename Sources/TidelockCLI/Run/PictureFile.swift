import TideSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file that a picture goes to, opened before anything of the app runs: later no file can be
/// opened there any more. It is made, or changed, when the picture is written.
final class PictureFile {
  let path: String
  /// The folder in which it gets its name then; nil where it has one already.
  let folderForName: String?
  private let descriptor: Int32
  private let failure: Int32

  init(_ path: String) {
    self.path = path
    var file = open(path, O_WRONLY | O_CLOEXEC)
    var folder: String?
    var reason = errno
    if file < 0, reason == ENOENT {
      let slash = path.lastIndex(of: "/")
      let above = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      file = UnnamedFile.make(in: above)
      if file >= 0 {
        folder = above
      } else {
        // Not every file system has files without a name.
        file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        reason = errno
      }
    }
    descriptor = file
    folderForName = folder
    failure = file < 0 ? reason : 0
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Replaces what the file holds; the error's number where that failed, else 0.
  func write(_ text: String) -> Int32 {
    if descriptor < 0 { return failure }
    // What is no file, such as a pipe, cannot be cut.
    if folderForName == nil { ftruncate(descriptor, 0) }
    let failure = StandardStreams.write(text, to: descriptor)
    if failure != 0 || folderForName == nil { return failure }
    return UnnamedFile.name(descriptor, path)
  }
}
