package import TideSystem

/// A text that the client has open.
package struct Document {
  /// As the client wrote it.
  package let uri: String
  /// The file; for a document of another scheme the one that it would be in the first root.
  package let path: String
  /// Whether the URI names a file, which may be there or not.
  package let isFile: Bool
  package fileprivate(set) var version: Int?
  package fileprivate(set) var text: TextPositions
}

/// The documents that the client has open, by path and by URI.
///
/// A URI may be written in several ways, as with `%3A` for a colon; its path tells whether it is the
/// same document.
package final class DocumentStore {
  private var documents: [String: Document] = [:]
  /// What positions count; agreed on before the first document is opened.
  package var encoding = TextPositions.Encoding.utf16
  /// Where documents that are no files are checked.
  package var home = "/"

  package init() {}

  /// The open documents, in the order of their paths.
  package var all: [Document] { documents.values.sorted { $0.path < $1.path } }

  package subscript(path path: String) -> Document? { documents[path] }

  package subscript(uri uri: String) -> Document? { documents[path(of: uri)] }

  /// The path under which a document is kept and checked.
  package func path(of uri: String) -> String {
    DocumentURI.path(of: uri) ?? SystemPath.joined(home, DocumentURI.name(of: uri))
  }

  /// The URI of a file, as the client wrote it where it is open.
  package func uri(of path: String) -> String {
    documents[path]?.uri ?? DocumentURI.of(path: path)
  }

  /// Opens a document; false where it was open already, and now has the new text.
  @discardableResult
  package func open(_ uri: String, text: String, version: Int?) -> Bool {
    let path = path(of: uri)
    let document = Document(
      uri: uri, path: path, isFile: DocumentURI.path(of: uri) != nil, version: version,
      text: TextPositions(Array(text.utf8), encoding: encoding))
    return documents.updateValue(document, forKey: path) == nil
  }

  /// Changes a document in the order of the changes, each of which is a text, or a range and the text
  /// in its place.
  ///
  /// - Returns: nil where it is not open, and nothing is done.
  /// - Throws: `invalidParams` for a change that is none; those before it stay.
  package func change(
    _ uri: String, _ changes: [JSONValue], version: Int?
  ) throws(ResponseError) -> Document? {
    // Moved out, so that its text is changed in place.
    guard var document = documents.removeValue(forKey: path(of: uri)) else { return nil }
    defer { documents[document.path] = document }
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

  /// Closes a document; nil where it is not open.
  package func close(_ uri: String) -> Document? { documents.removeValue(forKey: path(of: uri)) }
}
