package import TideSystem

/// Something that the server does for its client: what it announces, and the messages that it
/// handles, in one file of the folder Features.
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
/// It takes effect where ``LanguageServer/features`` lists it. One that keeps something between
/// messages is a class; all is called by the server's one thread.
package protocol Feature {
  /// The fields that it adds to the server's capabilities.
  func capabilities(for client: ClientCapabilities) -> JSONValue

  /// Adds what handles its messages.
  func register(in handlers: inout HandlerTable)

  /// Called after texts, files or folders have changed.
  func note(_ event: WorkspaceEvent, in server: LanguageServer)

  /// Does a little of what can wait, while no message does; gives when there is more to do.
  ///
  /// A message that comes meanwhile waits for it, so it takes few milliseconds.
  func work(in server: LanguageServer) -> RemainingWork
}

extension Feature {
  package func capabilities(for client: ClientCapabilities) -> JSONValue { [:] }
  package func register(in handlers: inout HandlerTable) {}
  package func note(_ event: WorkspaceEvent, in server: LanguageServer) {}
  package func work(in server: LanguageServer) -> RemainingWork { .none }
}

/// What a feature still has to do.
package enum RemainingWork: Equatable {
  case none
  case now
  /// When nothing has happened for so many seconds.
  case later(Double)
}

/// What has changed in the client's workspace. Documents are named by their paths.
package enum WorkspaceEvent: Equatable {
  case opened(String)
  case changed(String)
  case saved(String)
  /// What is on the disk counts again.
  case closed(String)
  /// Files that were written, made or removed outside of the client.
  case filesChanged([String])
  case rootsChanged
  /// A running app has other errors in a file.
  case errorsChanged(String)
}
