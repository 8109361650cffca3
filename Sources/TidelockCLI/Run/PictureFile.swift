import TideSystem

/// The file that a picture is written to. It is opened before the process is confined, because it
/// may lie anywhere; it is only created, or changed, when the picture is written.
final class PictureFile {
  let path: String
  /// The folder in which a new file gets its name; nil where the file already exists.
  let folderForName: String?
  private let descriptor: Int32
  private let failure: Int32

  init(_ path: String) {
    self.path = path
    var file = open(path, O_WRONLY | O_CLOEXEC)
    var folder: String?
    var reason = errno
    if file < 0, reason == ENOENT {
      let above = SystemPath.folder(of: path)
      file = UnnamedFile.make(in: above)
      if file >= 0 {
        folder = above
      } else {
        // Not every file system supports files without a name.
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

  /// Replaces the file's contents. Gives 0 or an error number.
  func write(_ text: String) -> Int32 {
    if descriptor < 0 { return failure }
    // This fails for what is not a plain file, such as a pipe, and need not succeed there.
    if folderForName == nil { ftruncate(descriptor, 0) }
    let failure = StandardStreams.write(text, to: descriptor)
    if failure != 0 || folderForName == nil { return failure }
    return UnnamedFile.name(descriptor, path)
  }
}
