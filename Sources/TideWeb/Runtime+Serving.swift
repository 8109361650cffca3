public import TideBindings
import TideRun
public import TideScript

extension TideError.Code {
  /// The server cannot listen at an address, or its certificate is unusable.
  public static let serving = Self("serving", 433)
}

extension Runtime {
  /// Shows the app in browsers until it ends, and returns its exit code.
  ///
  /// ```swift
  /// let code = try await runtime.serve(WebOptions(port: 8765)) { url in print(url) }
  /// ```
  ///
  /// `onListening` receives the address to open, whose token admits browsers. All browsers show one
  /// view tree. The call ends when `run` would end, and stays on the actor that called it.
  ///
  /// - Throws: `TideError` of code `serving` if the server cannot listen at the address or the
  ///   certificate is unusable, and what `run` throws.
  nonisolated(nonsending) public func serve(
    _ options: WebOptions = WebOptions(), onListening: (_ url: String) -> Void
  ) async throws -> Int32 {
    let service = try WebService(options)
    try service.start(for: self)
    onListening(service.url)
    defer { service.stop() }
    return try await run(service.renderer)
  }
}
