import TideSystem

/// The output file of a picture. It is opened before the process is confined, because it may be in
/// any folder, but created or changed only when the picture is written.
final class PictureFile {
  let path: String
  /// The folder of a new file, in which it gets its name; nil if the file exists.
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
        // Not every file system supports unnamed files.
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

  /// Replaces the file's contents. Returns 0 or an error number.
  func write(_ text: String) -> Int32 {
    if descriptor < 0 { return failure }
    // Fails for files such as pipes, where it is not needed.
    if folderForName == nil { ftruncate(descriptor, 0) }
    let failure = StandardStreams.write(text, to: descriptor)
    if failure != 0 || folderForName == nil { return failure }
    return UnnamedFile.name(descriptor, path)
  }
}
