public import FoundationEssentials

extension Runtime {
  /// Makes the interpreter and its API for an app whose main script is a file; nothing of it is read yet.
  ///
  /// ```swift
  /// let runtime = try Runtime(app: URL(filePath: "app.lua"))
  /// ```
  ///
  /// Throws `scriptMemory` when the memory that scripts may take does not suffice for that.
  public convenience init(
    app: URL, configuration: Configuration = Configuration()
  ) throws {
    try self.init(file: app.path, configuration: configuration)
  }
}
