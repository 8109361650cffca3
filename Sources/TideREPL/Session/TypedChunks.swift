/// What was run at a prompt, for `:save` and `:edit`; of very much the latest.
struct TypedChunks {
  private(set) var texts: [String] = []
  private var bytes = 0

  private static let most = 10_000
  private static let mostBytes = 8 << 20

  var last: String? { texts.last }

  mutating func add(_ text: String) {
    texts.append(text)
    bytes += text.utf8.count
    guard texts.count > Self.most || bytes > Self.mostBytes else { return }
    // Half of them at once, so that forgetting costs next to nothing; but never the last one.
    texts.removeFirst(min(texts.count - 1, (texts.count + 1) / 2))
    bytes = texts.reduce(0) { $0 + $1.utf8.count }
  }
}
