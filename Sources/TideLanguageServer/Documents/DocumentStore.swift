package import TideSystem

/// The documents that the client has open, by path and by URI.
///
/// A URI may be written in several ways, such as with `%3A` for a colon, so documents are told
/// apart by their paths.
package final class DocumentStore {
  private var documents: [PathKey: Document] = [:]
  /// The paths of the open documents that are not files, by URI.
  private var otherPaths: [PathKey: String] = [:]
  /// What positions count; it is agreed on before the first document is opened.
  package var encoding = TextPositions.Encoding.utf16
  /// The folder in which documents that are not files are checked.
  package var home = "/"

  package init() {}

  /// The open documents, in the order of their paths.
  package var all: [Document] { documents.values.sorted { $0.path < $1.path } }

  package subscript(path path: String) -> Document? { documents[path: path] }

  package subscript(uri uri: String) -> Document? { documents[path: path(of: uri)] }

  /// The path under which a document is kept and checked.
  package func path(of uri: String) -> String {
    DocumentURI.path(of: uri) ?? otherPaths[path: uri] ?? freePath(for: uri)
  }

  /// A path that no file and no other document has.
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

  /// The URI of a file; if it is open, as the client wrote it.
  package func uri(of path: String) -> String {
    documents[path: path]?.uri ?? DocumentURI.of(path: path)
  }

  /// Opens a document; false if it was already open, in which case it now has the new text.
  @discardableResult
  package func open(_ uri: String, text: String, version: Int?) -> Bool {
    let path = path(of: uri)
    let document = Document(
      uri: uri, path: path, isFile: DocumentURI.path(of: uri) != nil, version: version,
      text: TextPositions(Array(text.utf8), encoding: encoding))
    if !document.isFile { otherPaths[path: uri] = path }
    let former = documents.updateValue(document, forKey: PathKey(path))
    guard let former, document.isFile, !former.isFile else { return former == nil }
    // An untitled document that has been saved under its name stays open until the client closes it.
    let free = freePath(for: former.uri)
    otherPaths[path: former.uri] = free
    documents[path: free] = Document(
      uri: former.uri, path: free, isFile: false, version: former.version, text: former.text)
    return true
  }

  /// Applies changes to a document in their order. Each is a whole text, or a range and its new
  /// text.
  ///
  /// - Returns: nil if it is not open.
  /// - Throws: `invalidParams` for an invalid change; those before it stay applied.
  package func change(
    _ uri: String, _ changes: [JSONValue], version: Int?
  ) throws(ResponseError) -> Document? {
    // Moved out of the dictionary, so that its text is changed in place rather than copied.
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
