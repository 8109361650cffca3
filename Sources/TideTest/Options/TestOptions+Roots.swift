import TideSystem

extension TestOptions {
  /// Takes files and folders as they are given: split by commas, and with `:LINE` after a file.
  package mutating func setRoots(_ given: [String]) {
    roots = []
    lines = [:]
    var whole: Set<String> = []
    for path in given.flatMap(\.commaParts) {
      let (file, line) = Self.place(path)
      if !roots.contains(file) { roots.append(file) }
      // A file that is asked for by itself is run as a whole, whatever is said of its lines.
      if let line { lines[file, default: []].append(line) } else { whole.insert(file) }
    }
    for file in whole { lines[file] = nil }
  }

  /// Reads `file:line`, and `file:line:column` as errors have it.
  private static func place(_ path: String) -> (file: String, line: Int?) {
    if access(path, F_OK) == 0 { return (path, nil) }
    guard let (file, line) = split(path) else { return (path, nil) }
    if access(file, F_OK) != 0, let (longer, line) = split(file), access(longer, F_OK) == 0 {
      return (longer, line)
    }
    return (file, line)
  }

  private static func split(_ path: String) -> (file: String, number: Int)? {
    guard let colon = path.lastIndex(of: ":"), let number = Int(path[path.index(after: colon)...])
    else { return nil }
    return (String(path[..<colon]), number)
  }
}
