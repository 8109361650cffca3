/// The reason why a request failed.
///
/// ```swift
/// case .failure(let failure): print(failure.message, failure.kind == .timedOut)
/// ```
package struct HTTPFailure: Error, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable, CaseIterable {
    /// The host name has no address.
    case unresolved
    /// No connection could be made.
    case refused
    case timedOut
    /// The server's certificate is not valid for the host.
    case certificate
    /// The TLS handshake failed.
    case handshake
    /// The response's body or head is too large.
    case tooLarge
    case tooManyRedirects
    /// The response violates the HTTP protocol.
    case notHTTP
    /// The connection was closed before the response was complete.
    case cut
    /// The caller's rules refused the request.
    case notAllowed
    case badURL
    case unsupportedScheme
    /// The method, a header or the body cannot be sent.
    case badRequest
    case cancelled
    case noLibrary
    /// The body exceeds the caller's memory limit.
    case noMemory
    case other
  }
  package let kind: Kind
  /// The cause and a remedy, in plain English.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  package var description: String { message }
}

extension HTTPFailure {
  static let cancelled = HTTPFailure(.cancelled, "the request was cancelled")

  static func headTooLarge(_ server: String) -> HTTPFailure {
    HTTPFailure(.tooLarge, "the head from \(server) has more than 1000 lines or 256 KiB")
  }

  static func cut(_ server: String, hasHead: Bool) -> HTTPFailure {
    let part = hasHead ? "body" : "answer"
    return HTTPFailure(.cut, "\(server) closed the connection before the end of the \(part)")
  }

  static func noLibrary(_ reason: String) -> HTTPFailure {
    HTTPFailure(
      .noLibrary,
      "requests need libcurl, which cannot be used: \(reason); on Debian and Ubuntu install the package libcurl4"
    )
  }

  /// Converts libcurl's result codes.
  ///
  /// - Parameters:
  ///   - server: host and port, as text.
  ///   - hasHead: whether the response's head has arrived.
  static func of(
    code: Int32, number: Int32, detail: String, host: String, server: String, hasHead: Bool
  ) -> HTTPFailure {
    let more = detail.isEmpty ? "" : ": \(detail)"
    switch code {
    case 1 where detail.contains("HTTP/0.9"), 8:
      return HTTPFailure(.notHTTP, "what \(server) answers is not HTTP")
    case 5, 6:
      return HTTPFailure(
        .unresolved, "no address is known for \(host); check the name and the connection")
    case 7:
      let reason = number == 0 ? "nothing answers there" : SystemText.of(number)
      return HTTPFailure(
        .refused, "cannot connect to \(server): \(reason); check that the server runs")
    case 61:
      return HTTPFailure(.notHTTP, "the body from \(server) is not encoded as its head says\(more)")
    case 56 where detail.contains("chunk"):
      return HTTPFailure(.notHTTP, "the body from \(server) is not in proper chunks")
    case 52: return HTTPFailure(.cut, "\(server) closed the connection without an answer")
    case 18, 55, 56: return cut(server, hasHead: hasHead)
    case 27 where !hasHead, 100:
      return HTTPFailure(.tooLarge, "a line of the head from \(server) is too long")
    case 27: return HTTPFailure(.other, "not enough memory for the answer from \(server)")
    case 28: return timeout(detail, host, server, hasHead)
    case 35: return HTTPFailure(.handshake, "no secure connection to \(server)\(more)")
    case 51, 60:
      return HTTPFailure(
        .certificate,
        "the certificate of \(server) is not valid for \(host)\(more); nothing was sent")
    case 77:
      return HTTPFailure(
        .certificate,
        "there are no certificates to check \(server) with\(more); on Debian and Ubuntu install the package ca-certificates"
      )
    default:
      return HTTPFailure(.other, "the request to \(server) failed\(more) (libcurl's code \(code))")
    }
  }

  private static func timeout(
    _ detail: String, _ host: String, _ server: String, _ hasHead: Bool
  ) -> HTTPFailure {
    let what =
      if detail.hasPrefix("Resolving") {
        "no address was found for \(host)"
      } else if detail.hasPrefix("Connection time") || detail.hasPrefix("SSL") {
        "no connection to \(server) came about"
      } else if hasHead {
        "the answer from \(server) did not end"
      } else {
        "\(server) did not answer"
      }
    return HTTPFailure(.timedOut, what + " in time; try later, or allow more time")
  }
}
