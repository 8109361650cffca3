package import TideSystem

/// What the handler of a request works with.
package struct RequestContext {
  package let server: LanguageServer
  package let id: RequestID
  /// Long work calls `try context.cancellation.check()` now and then.
  package let cancellation: Cancellation

  /// Thrown by a handler that will answer later, by `server.answer(id, …)`.
  package struct Later: Error {
    package init() {}
  }

  /// The open document that `params.textDocument.uri` names.
  package func document(in params: JSONValue) throws(ResponseError) -> Document {
    let uri = try Self.uri(in: params)
    guard let document = server.documents[uri: uri] else {
      throw ResponseError(.invalidParams, "the document is not open: \(uri)")
    }
    return document
  }

  package static func uri(in params: JSONValue) throws(ResponseError) -> String {
    guard let uri = params["textDocument"]["uri"].string else {
      throw ResponseError(.invalidParams, "textDocument.uri is missing")
    }
    return uri
  }
}
