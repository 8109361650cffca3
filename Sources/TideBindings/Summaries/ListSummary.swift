import TideGraph

/// The result of a collection operator for a list, which follows the list.
///
/// ```swift
/// // items.@sum.price
/// let summary = CollectionOperator.sum.summary(of: items, reading: price)
/// try summary.result()
/// ```
///
/// An insertion, a removal or a change of an element needs no scan of the list: `@sum` and `@avg`
/// take constant time, `@min` and `@max` logarithmic time, and the unions time in proportion to
/// what changes in them.
protocol ListSummary: ValueList {
  /// The list that it summarizes.
  var summarized: ValueList { get }
  /// Updates the summary, and records the read. Throws the error of reading an element.
  func result() throws -> Value
}

/// The state of a path between two reads: the summary at its end.
final class PathMemory {
  let summary: any ListSummary

  init(_ summary: any ListSummary) { self.summary = summary }
}

extension CollectionOperator {
  /// Starts following a list. `steps` are read from each element.
  ///
  /// Throws if there is not enough memory.
  func summary(
    of list: ValueList, reading steps: ArraySlice<PathStep>
  ) throws -> any ListSummary {
    let rows = list.graph.untracked { list.count }
    try BindingTable.of(list.graph).hooks.noteMemory?(rows * DerivedList.rowWeight)
    let reader = ElementReader(steps: steps, of: self)
    switch self {
    case .count, .sum, .avg: return TotalList(list, reader)
    case .min, .max: return ExtremeList(list, reader)
    case .unionOfObjects: return CollectedList(list, reader)
    case .distinctUnionOfObjects: return DistinctList(CollectedList(list, reader))
    case .unionOfArrays: return FlattenedList(list, reader)
    case .distinctUnionOfArrays: return DistinctList(FlattenedList(list, reader))
    }
  }
}

/// Reads the value that an operator summarizes from each element of a list.
struct ElementReader {
  let steps: ArraySlice<PathStep>
  let summary: CollectionOperator

  init(steps: ArraySlice<PathStep>, of summary: CollectionOperator) {
    self.steps = steps
    self.summary = summary
  }

  /// The value at the end of the path, in the operator's form; nil for an element that is nil.
  ///
  /// - Parameter memory: the state of nested operators.
  func value(of element: Value, keeping memory: inout PathMemory?) throws -> Value {
    if element.isNil { return .null }
    if steps.isEmpty { return try admitted(element) }
    guard case .object(let object as DataObject) = element else {
      throw TideError(
        .unknownProperty,
        "@\(summary.rawValue) reads \(path) of each element, but one is "
          + element.typeAndPreviewPhrase)
    }
    let value = try PathReader.read(steps, from: object, keeping: &memory).value
    return value.isNil ? .null : try admitted(value)
  }

  private var path: String { Path(steps: Array(steps)).description }

  /// The value in the form that the operator works with.
  private func admitted(_ value: Value) throws(TideError) -> Value {
    switch summary {
    case .sum, .avg: return try value.convertedToNumber()
    case .min, .max:
      switch value {
      case .integer, .number, .string, .bytes: return value
      case .boolean(let flag): return .integer(flag ? 1 : 0)
      case .null, .object:
        throw TideError(
          .conversion,
          "@\(summary.rawValue) compares numbers or texts, but one is "
            + value.typeAndPreviewPhrase)
      }
    case .unionOfArrays, .distinctUnionOfArrays:
      if case .object(let object) = value, object is any ListObject { return value }
      throw TideError(
        .wrongType,
        "@\(summary.rawValue) joins lists, but one is \(value.typeAndPreviewPhrase)")
    case .count, .unionOfObjects, .distinctUnionOfObjects: return value
    }
  }
}
