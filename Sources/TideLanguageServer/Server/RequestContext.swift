package import TideSystem

/// What a request's handler works with.
package struct RequestContext {
  package let server: LanguageServer
  package let id: RequestID
  /// Long work asks it now and then, by `try context.cancellation.check()`.
  package let cancellation: Cancellation

  /// Answers later, by `server.answer(id, …)`: what to throw instead of giving a result.
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
