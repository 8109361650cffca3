public import TideBindings
import TideRun
public import TideScript

extension TideError.Code {
  /// Nothing can listen for browsers at an address, or its certificate is of no use.
  public static let serving = Self("serving", 433)
}

extension Runtime {
  /// Shows the app in browsers until it ends; gives its exit code.
  ///
  /// ```swift
  /// let code = try await runtime.serve(WebOptions(port: 8765)) { url in print(url) }
  /// ```
  ///
  /// `onListening` is given the address to open, whose token lets browsers in. All of them show one
  /// view tree. It ends as `run` does, and stays on the actor that called it.
  ///
  /// - Throws: `TideError` of code `serving` where nothing can listen at the address or the
  ///   certificate is of no use, and what `run` throws.
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
