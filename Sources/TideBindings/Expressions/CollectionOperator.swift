/// A path step that summarizes a list: `friends.@count`, `items.@sum.price`.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  /// How many there are.
  case count
  /// The sum of numbers.
  case sum
  /// The mean of numbers.
  case avg
  /// The least value.
  case min
  /// The greatest value.
  case max
  /// What a path leads to from each, as a list.
  case unionOfObjects
  /// The same without what comes twice.
  case distinctUnionOfObjects
  /// The lists that a path leads to from each, one after the other.
  case unionOfArrays
  /// The same without what comes twice.
  case distinctUnionOfArrays
}
