/// The pictures for the preview page, as JSON, by document URI.
///
/// Pages poll for their pictures, so the least recently requested pictures are dropped when there
/// are too many.
struct PreviewPictures {
  /// A picture with a version number.
  typealias Picture = (number: Int, json: String)

  private var pictures: [String: Picture] = [:]
  /// The documents, least recently used first.
  private var order: [String] = []
  private static let limit = 32

  var documents: Set<String> { Set(order) }

  mutating func set(_ json: String, of uri: String) {
    let former = pictures[uri]
    pictures[uri] = ((former?.number ?? 0) + (former?.json == json ? 0 : 1), json)
    touch(uri)
    if order.count > Self.limit { pictures[order.removeFirst()] = nil }
  }

  mutating func picture(of uri: String) -> Picture? {
    guard let found = pictures[uri] else { return nil }
    touch(uri)
    return found
  }

  private mutating func touch(_ uri: String) {
    order.removeAll { $0 == uri }
    order.append(uri)
  }

  mutating func remove(where isGone: (String) -> Bool) {
    for uri in order where isGone(uri) { pictures[uri] = nil }
    order.removeAll { pictures[$0] == nil }
  }
}
