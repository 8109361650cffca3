/// A file that cannot be used, on its way out of the way.
///
/// ```swift
/// let name = try BrokenFile("ledger.db", with: ["-wal"]).moveAside()    // "ledger.db.broken"
/// ```
package struct BrokenFile {
  private let path: String
  /// What the names of files that belong to it end with.
  private let companions: [String]

  /// So many broken files are kept; another one stays where it is.
  package static let most = 8

  /// Why a file stays where it is.
  package enum Failure: Error {
    /// As many are kept already as may be.
    case tooMany
    /// What a system call says.
    case system(Int32)
  }

  package init(_ path: String, with companions: [String] = []) {
    (self.path, self.companions) = (path, companions)
  }

  /// Moves the file, and those that belong to it, to a name that nothing bears: with `.broken` at
  /// its end, or `.broken-2`. Gives the new path.
  package func moveAside() throws(Failure) -> String {
    for number in 1...Self.most {
      let other = path + (number == 1 ? ".broken" : ".broken-\(number)")
      if companions.contains(where: { access(other + $0, F_OK) == 0 }) || access(other, F_OK) == 0 {
        continue
      }
      // The file goes last: without it those that belong to it mean nothing.
      for companion in companions where access(path + companion, F_OK) == 0 {
        try move(path + companion, to: other + companion)
      }
      try move(path, to: other)
      return other
    }
    throw .tooMany
  }

  private func move(_ path: String, to other: String) throws(Failure) {
    // A link does not replace what is there.
    if link(path, other) != 0 { throw .system(errno) }
    unlink(path)
  }
}
