package import TideSystem

/// What handles the messages of each method.
package struct HandlerTable {
  /// Gives the result, or throws a ``ResponseError``.
  package typealias RequestHandler = (JSONValue, RequestContext) throws -> JSONValue
  package typealias NotificationHandler = (JSONValue, LanguageServer) throws -> Void

  private var requests: [String: RequestHandler] = [:]
  private var notifications: [String: [NotificationHandler]] = [:]

  package init() {}

  /// Handles the requests of a method; a later handler takes the place of an earlier one.
  package mutating func onRequest(_ method: String, _ handler: @escaping RequestHandler) {
    requests[method] = handler
  }

  /// Handles the notifications of a method, after the handlers that were added before.
  package mutating func onNotification(
    _ method: String, _ handler: @escaping NotificationHandler
  ) {
    notifications[method, default: []].append(handler)
  }

  func request(_ method: String) -> RequestHandler? { requests[method] }
  func notification(_ method: String) -> [NotificationHandler] { notifications[method] ?? [] }
}
