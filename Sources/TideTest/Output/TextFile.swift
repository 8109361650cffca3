import TideSystem

/// Files that reports write.
enum TextFile {
  /// Gives why it cannot be written, or nil.
  static func write(_ text: String, to file: String) -> String? {
    guard let stream = fopen(file, "w") else { return String(cString: strerror(errno)) }
    let count = fputs(text, stream)
    let isClosed = fclose(stream) == 0
    return count < 0 || !isClosed ? String(cString: strerror(errno)) : nil
  }
}
