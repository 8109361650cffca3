package import TideSystem

/// The context of a request for its handler.
package struct RequestContext {
  package let server: LanguageServer
  package let id: RequestID
  /// Long-running work must call `try context.cancellation.check()` regularly.
  package let cancellation: Cancellation

  /// Thrown by a handler that will respond later with `server.answer(id, …)`.
  package struct Later: Error {
    package init() {}
  }

  /// The open document identified by `params.textDocument.uri`.
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
