package import TideSystem

/// The error of a failed request, sent to the client.
///
/// ```swift
/// throw ResponseError(.invalidParams, "position is missing")
/// ```
package struct ResponseError: Error, Equatable, Sendable {
  /// The error codes of JSON-RPC and of the Language Server Protocol.
  package enum Code: Int, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case serverNotInitialized = -32002
    /// The request is valid but cannot be fulfilled.
    case requestFailed = -32803
    /// The text has changed, so the response would refer to an older version.
    case contentModified = -32801
    case requestCancelled = -32800
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package static let cancelled = ResponseError(.requestCancelled, "the request was cancelled")

  package var json: JSONValue {
    ["code": .int(code.rawValue), "message": .string(message)]
  }
}
