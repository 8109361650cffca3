package import TideSystem

/// The documents that the client has open, by path and by URI.
///
/// A URI may be written in several ways, for example with `%3A` for a colon, so documents are
/// identified by their paths.
package final class DocumentStore {
  private var documents: [PathKey: Document] = [:]
  /// The paths of open documents that are not files, by URI.
  private var otherPaths: [PathKey: String] = [:]
  /// The unit of positions; negotiated before the first document is opened.
  package var encoding = TextPositions.Encoding.utf16
  /// The folder in which documents other than files are checked.
  package var home = "/"

  package init() {}

  /// The open documents, in the order of their paths.
  package var all: [Document] { documents.values.sorted { $0.path < $1.path } }

  package subscript(path path: String) -> Document? { documents[path: path] }

  package subscript(uri uri: String) -> Document? { documents[path: path(of: uri)] }

  /// The path under which a document is stored and checked.
  package func path(of uri: String) -> String {
    DocumentURI.path(of: uri) ?? otherPaths[path: uri] ?? freePath(for: uri)
  }

  /// A path used by no file and no other document.
  private func freePath(for uri: String) -> String {
    let path = SystemPath.joined(home, DocumentURI.name(of: uri))
    var free = path
    var number = 1
    while documents[path: free] != nil || access(free, F_OK) == 0 {
      number += 1
      free = "\(path) (\(number))"
    }
    return free
  }

  /// The URI of a file; if it is open, the client's spelling.
  package func uri(of path: String) -> String {
    documents[path: path]?.uri ?? DocumentURI.of(path: path)
  }

  /// Opens a document. If it was already open, replaces its text and returns false.
  @discardableResult
  package func open(_ uri: String, text: String, version: Int?) -> Bool {
    let path = path(of: uri)
    let document = Document(
      uri: uri, path: path, isFile: DocumentURI.path(of: uri) != nil, version: version,
      text: TextPositions(Array(text.utf8), encoding: encoding))
    if !document.isFile { otherPaths[path: uri] = path }
    let former = documents.updateValue(document, forKey: PathKey(path))
    guard let former, document.isFile, !former.isFile else { return former == nil }
    // An untitled document saved under its name stays open until the client closes it.
    let free = freePath(for: former.uri)
    otherPaths[path: former.uri] = free
    documents[path: free] = Document(
      uri: former.uri, path: free, isFile: false, version: former.version, text: former.text)
    return true
  }

  /// Applies changes to a document in order. Each is a complete text, or a range with its new text.
  ///
  /// - Returns: nil if the document is not open.
  /// - Throws: `invalidParams` for an invalid change; earlier changes remain applied.
  package func change(
    _ uri: String, _ changes: [JSONValue], version: Int?
  ) throws(ResponseError) -> Document? {
    // Removed from the dictionary, so that its text is modified in place instead of copied.
    guard var document = documents.removeValue(forKey: PathKey(path(of: uri))) else { return nil }
    defer { documents[path: document.path] = document }
    document.version = version ?? document.version
    for change in changes {
      guard let text = change["text"].string else {
        throw ResponseError(.invalidParams, "a change needs a text")
      }
      if change["range"].isNull {
        document.text = TextPositions(Array(text.utf8), encoding: encoding)
      } else {
        let range = try TextRange(change["range"])
        document.text.replace(document.text.offsets(of: range), with: Array(text.utf8))
      }
    }
    return document
  }

  /// Closes a document; nil if it is not open.
  package func close(_ uri: String) -> Document? {
    defer { otherPaths[path: uri] = nil }
    return documents.removeValue(forKey: PathKey(path(of: uri)))
  }
}
