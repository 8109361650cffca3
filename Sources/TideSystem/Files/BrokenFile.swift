/// A damaged file that is to be moved aside.
///
/// ```swift
/// let name = try BrokenFile("ledger.db", with: ["-wal"]).moveAside()    // "ledger.db.broken"
/// ```
package struct BrokenFile {
  private let path: String
  /// The suffixes of the names of associated files.
  private let companions: [String]

  /// The limit of damaged files to keep; a further one is not moved.
  package static let most = 8

  /// The reason why a file was not moved.
  package enum Failure: Error {
    /// The limit is reached.
    case tooMany
    /// The error number of a system call.
    case system(Int32)
  }

  package init(_ path: String, with companions: [String] = []) {
    (self.path, self.companions) = (path, companions)
  }

  /// Moves the file and its associated files to an unused name that ends in `.broken`, or
  /// `.broken-2` and so on. Returns the new path.
  package func moveAside() throws(Failure) -> String {
    for number in 1...Self.most {
      let other = path + (number == 1 ? ".broken" : ".broken-\(number)")
      if companions.contains(where: { access(other + $0, F_OK) == 0 }) || access(other, F_OK) == 0 {
        continue
      }
      // Moves the main file last: the associated files are useless without it.
      for companion in companions where access(path + companion, F_OK) == 0 {
        try move(path + companion, to: other + companion)
      }
      try move(path, to: other)
      return other
    }
    throw .tooMany
  }

  private func move(_ path: String, to other: String) throws(Failure) {
    // Unlike a rename, a hard link does not replace an existing file.
    if link(path, other) != 0 { throw .system(errno) }
    unlink(path)
  }
}
