/// A property by which rows are put in order, or what a path from each row leads to.
///
/// ```swift
/// people.sort = try .keys([SortKey("last"), SortKey("age", ascending: false)])
/// ```
public struct SortKey: Equatable, Sendable {
  /// What rows are compared by, from each of them.
  public var path: String
  /// Whether the least comes first.
  public var ascending: Bool

  /// Sorts by a path.
  public init(_ path: String, ascending: Bool = true) {
    self.path = path
    self.ascending = ascending
  }
}
