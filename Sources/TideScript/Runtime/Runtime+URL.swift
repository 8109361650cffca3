public import FoundationEssentials

extension Runtime {
  /// Makes the interpreter for an app whose main script is a file; nothing of it is read yet.
  public convenience init(
    app: URL, configuration: Configuration = Configuration()
  ) throws {
    try self.init(path: app.path, configuration: configuration)
  }
}
