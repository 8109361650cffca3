import TideGraph
package import TideValues

/// Follows a path from an object, recording every read.
package enum PathReader {
  /// The result of a path. A step over nil leaves it unresolved, which is not an error.
  package struct Result {
    package var value: Value
    package var isResolved = true
    /// Increases with each edit of a list that the path's operator produces, such as
    /// `@unionOfObjects`.
    var revision = 0
    /// Identifies the object that holds the value, or the selected objects if the path goes through
    /// a selection.
    var holder = 0
  }

  /// Reads a path once, without following it.
  package static func read(
    _ steps: ArraySlice<PathStep>, from root: DataObject
  ) throws -> Result {
    try read(steps, from: root) { list, summary, steps in
      Result(value: try summary.result(of: list, reading: steps))
    }
  }

  /// Reads a path that will be read again. The summary of a collection operator is stored in
  /// `memory` and updated incrementally.
  static func read(
    _ steps: ArraySlice<PathStep>, from root: DataObject, keeping memory: inout PathMemory?
  ) throws -> Result {
    guard steps.contains(where: \.isCollection) else {
      memory = nil
      return try read(steps, from: root)
    }
    // The former summary is released unless this read reaches the same list.
    let known = memory
    memory = nil
    return try read(steps, from: root) { list, summary, steps in
      if summary == .count { return Result(value: .integer(list.trackedCount)) }
      guard let list = list as? ValueList else {
        return Result(value: try summary.result(of: list, reading: steps))
      }
      let made: PathMemory
      if let known, known.summary.summarized === list {
        made = known
      } else {
        made = PathMemory(try summary.summary(of: list, reading: steps))
      }
      memory = made
      let value = try made.summary.result()
      guard case .object = value else { return Result(value: value) }
      return Result(value: value, revision: Int.load(made.summary.versionSlot))
    }
  }

  private static func read(
    _ steps: ArraySlice<PathStep>, from root: DataObject,
    summarize: (any ListObject, CollectionOperator, ArraySlice<PathStep>) throws -> Result
  ) throws -> Result {
    var object = root
    var steps = steps
    while let step = steps.first {
      if let result = try object.readThrough(steps) { return result }
      steps.removeFirst()
      if case .collection(let summary) = step {
        guard let list = object as? any ListObject else {
          throw TideError(
            .unknownOperator, "\(step) summarizes a list, but \(object.label) is not a list")
        }
        var result = try summarize(list, summary, steps)
        result.holder = ObjectIdentifier(object).hashValue
        return result
      }
      let value = try follow(step, from: object)
      if steps.isEmpty {
        return Result(value: value, holder: ObjectIdentifier(object).hashValue)
      }
      switch value {
      case .object(let next as DataObject): object = next
      case _ where value.isNil: return Result(value: .null, isResolved: false)
      // A controller's marker becomes the value of the whole path.
      case _ where value.isStateMarker: return Result(value: value)
      default:
        guard let next = steps.first else { return Result(value: value) }
        throw TideError(
          .unknownProperty,
          "\(step) of \(object.label) is \(value.typePhrase), which has no property \"\(next)\"")
      }
    }
    return Result(value: .object(root))
  }

  /// The object to write to: the object at the end of the path, or the proxy property that
  /// represents it in a selection.
  static func holder(
    of steps: ArraySlice<PathStep>, named name: String, from root: DataObject
  ) throws -> Value {
    var object = root
    var steps = steps
    while true {
      if let proxyProperty = object.proxyProperty(for: Array(steps) + [.property(name)]) {
        return .object(proxyProperty)
      }
      guard let step = steps.popFirst() else { return .object(object) }
      guard case .object(let next as DataObject) = try follow(step, from: object) else {
        // Throws the error that describes the broken path.
        return try read([step] + steps, from: object).value
      }
      object = next
    }
  }

  /// Identifies the last object reached by a path that cannot be read to its end; the counterpart
  /// of `Result.holder`.
  static func reached(_ steps: ArraySlice<PathStep>, from root: DataObject) -> Int {
    var object = root
    var steps = steps
    while let step = steps.first {
      if let selection = object as? SelectionProxy { return selection.reached(steps) }
      steps.removeFirst()
      guard !steps.isEmpty, case .object(let next as DataObject)? = try? follow(step, from: object)
      else { break }
      object = next
    }
    return ObjectIdentifier(object).hashValue
  }

  private static func follow(_ step: PathStep, from object: DataObject) throws -> Value {
    switch step {
    case .property(let name): return try object.value(of: name)
    case .element(let name, let index):
      let value = try object.value(of: name)
      guard case .object(let held) = value, let list = held as? any ListObject else {
        if value.isNil || value.isStateMarker { return value }
        throw TideError(
          .unknownProperty,
          "\(name) of \(object.label) is \(value.typePhrase), not a list, so there is no \(step)")
      }
      return list.trackedElement(at: index.position) ?? .null
    case .view(let operation):
      guard let navigable = object as? any ViewNavigable else {
        throw TideError(
          .unknownOperator, "\(step) starts from a view, but \(object.label) is not a view")
      }
      return navigable.navigate(operation).map { .object($0) } ?? .null
    case .collection: return .null
    }
  }
}

/// A view in which paths can navigate. Each step is recorded as a read.
package protocol ViewNavigable: AnyObject {
  func navigate(_ operation: ViewOperator) -> DataObject?
}

extension PathStep {
  var isCollection: Bool { if case .collection = self { true } else { false } }
}

extension Value {
  /// The kind of value with its article, for messages.
  var typePhrase: String {
    if case .null = self { typeName } else { typeName.withArticle }
  }
}
