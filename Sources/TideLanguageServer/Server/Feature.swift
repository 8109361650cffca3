package import TideSystem

/// A function of the server for its client: the capabilities to announce, and the messages to
/// handle. Each feature has its own file.
///
/// ```swift
/// struct Hover: Feature {
///   func capabilities(for client: ClientCapabilities) -> JSONValue { ["hoverProvider": true] }
///
///   func register(in handlers: inout HandlerTable) {
///     handlers.onRequest("textDocument/hover") { params, context in
///       let document = try context.document(in: params)
///       let offset = try document.text.offset(of: TextPosition(params["position"]))
///       try context.cancellation.check()
///       return ["contents": "byte \(offset)"]
///     }
///   }
/// }
/// ```
///
/// A feature takes effect when ``LanguageServer/features`` lists it. A feature with state is a
/// class. All calls are made on the server's thread.
package protocol Feature {
  /// The fields to add to the server's capabilities.
  func capabilities(for client: ClientCapabilities) -> JSONValue

  /// Adds handlers for messages.
  func register(in handlers: inout HandlerTable)

  /// Called after texts, files or folders have changed.
  func note(_ event: WorkspaceEvent, in server: LanguageServer)

  /// Does a small part of deferred work while no message is waiting, and returns when to continue.
  ///
  /// Arriving messages have to wait, so a call should take only a few milliseconds.
  func work(in server: LanguageServer) -> RemainingWork
}

extension Feature {
  package func capabilities(for client: ClientCapabilities) -> JSONValue { [:] }
  package func register(in handlers: inout HandlerTable) {}
  package func note(_ event: WorkspaceEvent, in server: LanguageServer) {}
  package func work(in server: LanguageServer) -> RemainingWork { .none }
}

/// Whether a feature has more deferred work, and when.
package enum RemainingWork: Equatable {
  case none
  case now
  /// After a number of seconds, unless a message arrives first.
  case later(Double)
}

/// A change in the client's workspace. Documents are identified by path.
package enum WorkspaceEvent: Equatable {
  case opened(String)
  case changed(String)
  case saved(String)
  /// A document was closed, so the text on disk applies again.
  case closed(String)
  /// Files were written, created or removed outside of the client.
  case filesChanged([String])
  case rootsChanged
  /// The errors of the running app in a file have changed.
  case errorsChanged(String)
}
