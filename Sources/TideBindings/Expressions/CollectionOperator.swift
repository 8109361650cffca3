/// A path step that summarizes a list: `friends.@count`, `items.@sum.price`.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count
  case sum
  case avg
  case min
  case max
  case unionOfObjects
  case distinctUnionOfObjects
  case unionOfArrays
  case distinctUnionOfArrays
}
