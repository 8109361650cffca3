public import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// The chain of causes that put a value where it is: this value's own change first, the origin
  /// last.
  ///
  /// ```swift
  /// for cause in try runtime.why(label, "text") { print(cause) }
  /// ```
  ///
  /// The last change of each property is recorded, for up to 65,536 properties.
  ///
  /// - Throws: `unknownProperty` for a step that does not exist, `syntax` or another code for an
  ///   invalid path, and errors of computed values along the path.
  public func why(_ object: DataObject, _ path: String) throws -> [Cause] {
    try table.causes(of: object, path)
  }

  /// The chain of causes of a property that a key path names.
  ///
  /// - Throws: `notOneProperty` for a key path that is not one observable property;
  ///   `graph` for an object of another actor, thread or runtime.
  public func why<Object: DataObject, Content: TideConvertible>(
    _ object: Object, _ path: KeyPath<Object, Content>
  ) throws -> [Cause] {
    table.causes(of: try object.reference(path))
  }

  /// Starts to record what changes values, and the script lines involved.
  func keepHistory() {
    graph.keepHistory()
    table.hooks.locationForID = { [home] id in
      guard let runtime = home.runtime else { return nil }
      return runtime.declarations.foreignLocations.location(id)
        ?? runtime.lua.location(forID: id).map { SourceLocation($0) }
    }
    table.hooks.nameOfObject = { [home] in home.runtime?.models.name(of: $0) }
    table.hooks.isListed = { [home] in home.runtime?.models.hasListed($0) ?? false }
  }

  func installCauses() throws {
    try define(.why) { [unowned self] call in
      let object = try object(call, 0)
      let path = try call.name(1, "a path")
      let chain = try lua.table()
      for (index, cause) in try why(object, path).enumerated() {
        let link = try lua.table([
          "path": .string(cause.path), "new": luaValue(cause.new),
          "old": cause.old.map { try luaValue($0) } ?? .nil,
          "cause": .string(cause.kind.rawValue),
          "location": cause.location.map { .string("\($0)") } ?? .nil,
          "act": cause.act.map { .string($0) } ?? .nil,
        ])
        try chain.rawSet(.integer(index + 1), .table(link))
      }
      call.return(.table(chain))
    }
  }

  /// Records where an object was made.
  func noteMaking(of object: DataObject) { graph.noteEvent(at: object.header, .making) }
}

// MARK: Catalogue

extension APIEntry {
  static let why = APIEntry(
    "why(object, path)", usage: "why(o, path)",
    "The chain of causes that put a value where it is.",
    """
    @param object tidelock.DataObject|tidelock.List
    @param path tidelock.ObjectPath
    @return tidelock.Cause[]
    """)
}

extension APISection {
  static let causes = APISection(
    article: "Causes",
    entries: [.why],
    types: """
      ---@class tidelock.Cause
      ---@field path string
      ---@field old? any
      ---@field new any
      ---@field cause string
      ---@field location? string
      ---@field act? string
      """)
}
