/// The pictures that the page of previews can show, as JSON, by the URIs of documents.
///
/// A page in a browser asks for its picture again and again, so the pictures that were asked for
/// least recently are dropped when there are many.
struct PreviewPictures {
  /// A number tells the page when the picture has changed.
  typealias Picture = (number: Int, json: String)

  private var pictures: [String: Picture] = [:]
  /// The documents, the one that was asked for or shown least recently first.
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
