/// A property by which rows are put in order, or what a path from each row leads to.
///
/// ```swift
/// people.sort = try .keys([SortKey("last"), SortKey("age", ascending: false)])
/// ```
public struct SortKey: Equatable, Sendable {
  public var path: String
  public var ascending: Bool

  public init(_ path: String, ascending: Bool = true) {
    self.path = path
    self.ascending = ascending
  }
}
