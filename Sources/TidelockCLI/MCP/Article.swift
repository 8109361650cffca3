import CTideTemplates

/// An article of the documentation that is for authors of apps.
struct Article {
  /// The name in links, such as `HotReload`.
  let name: String
  let text: String

  static let all: [Article] = (0..<tide_article_count()).map(tide_article).map { article in
    let bytes = UnsafeRawBufferPointer(start: article.bytes, count: article.count)
    return Article(
      name: String(cString: article.name), text: String(decoding: bytes, as: UTF8.self))
  }

  private var paragraphs: [Substring] {
    text.split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: true)
  }

  var title: String { paragraphs.first.map { String($0.drop { "# ".contains($0) }) } ?? name }

  /// The sentence below the title.
  var summary: String { paragraphs.dropFirst().first.map(String.init) ?? "" }
}
