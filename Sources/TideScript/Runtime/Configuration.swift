public import Logging
import TideBindings
public import TideLua

extension Runtime {
  /// What an app may use, and where its words go.
  public struct Configuration {
    /// Memory, time and reach of the scripts.
    public var lua = LuaConfiguration()
    /// The app's `arg`.
    public var arguments: [String] = []
    /// Gets what scripts print, a line at a time.
    public var print: (String) -> Void = { Swift.print($0) }
    public var logger: Logger?

    public init() {}

    func log(_ error: TideError) {
      guard let logger else { return }
      var metadata: Logger.Metadata = ["code": "\(error.code.label)"]
      if let location = error.location { metadata["location"] = "\(location)" }
      if let path = error.path { metadata["path"] = "\(path)" }
      logger.error("\(error.message)", metadata: metadata)
    }
  }
}
