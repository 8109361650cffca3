/// The history of a prompt, oldest entry first, and the current position in it.
package struct LineHistory: Equatable {
  package private(set) var entries: [String]
  /// The index of the entry shown; `entries.count` for the draft.
  private var index: Int
  private var draft = ""
  private var bytes = 0

  /// The maximum number of entries, and of their bytes; the oldest entries are dropped.
  private static let limit = 5000
  private static let byteLimit = 8 << 20

  package init(_ entries: [String] = []) {
    self.entries = Array(entries.suffix(Self.limit))
    index = 0
    bytes = self.entries.reduce(0) { $0 + $1.utf8.count }
    forgetOldest()
    index = self.entries.count
  }

  /// Adds an entry, unless it is blank or equal to the last one.
  package mutating func add(_ entry: String) {
    if !entry.allSatisfy(\.isWhitespace), entries.last != entry {
      entries.append(entry)
      bytes += entry.utf8.count
      forgetOldest()
    }
    index = entries.count
    draft = ""
  }

  private mutating func forgetOldest() {
    var count = max(0, entries.count - Self.limit)
    for entry in entries.prefix(count) { bytes -= entry.utf8.count }
    while bytes > Self.byteLimit, count < entries.count {
      bytes -= entries[count].utf8.count
      count += 1
    }
    entries.removeFirst(count)
  }

  /// The previous entry that begins with the draft; nil if there is none. `current` is the text in
  /// the prompt. An empty draft matches all entries. A shown entry that has been edited becomes the
  /// new draft, and the search starts at the end.
  package mutating func previous(_ current: String) -> String? {
    let isShown = shows(current)
    let prefix = isShown ? draft : current
    let found = entries[..<(isShown ? index : entries.count)].lastIndex {
      $0.hasPrefix(prefix) && $0 != current
    }
    guard let found else { return nil }
    draft = prefix
    index = found
    return entries[found]
  }

  /// The next entry that begins with the draft, or, after the last one, the draft itself.
  package mutating func next(_ current: String) -> String? {
    guard shows(current) else { return nil }
    index =
      entries[(index + 1)...].firstIndex { $0.hasPrefix(draft) } ?? entries.count
    return index == entries.count ? draft : entries[index]
  }

  private func shows(_ text: String) -> Bool { index < entries.count && entries[index] == text }

  /// The latest entry below an index that contains a text.
  package func search(_ text: String, below limit: Int? = nil) -> Int? {
    let end = min(limit ?? entries.count, entries.count)
    if text.isEmpty || end <= 0 { return nil }
    return entries[..<end].lastIndex { $0.contains(text) }
  }

  package mutating func leave() { index = entries.count }
}
