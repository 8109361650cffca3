import TideGraph

/// One end of a binding with references resolved. An end at a reference's `value` becomes the
/// referenced property and the reference's transformers.
struct ResolvedEndpoint {
  private(set) var object: DataObject
  private(set) var path: Path
  /// The transformers from the referenced property to the end as written.
  private(set) var transformers: [AnyTransformer] = []
  /// The references that were resolved.
  private(set) var references: [ObjectHandle] = []

  init(_ object: DataObject, _ path: Path) {
    self.object = object
    self.path = path
    while type(of: self.object) == ValueReference.self, takeReference() {}
  }

  private mutating func takeReference() -> Bool {
    guard let reference = object as? ValueReference, path.steps.first == .property("value"),
      path.steps.count == 1 || reference.transformers.isEmpty
    else { return false }
    transformers.insert(contentsOf: reference.transformers, at: 0)
    references.append(ObjectHandle(reference))
    path.steps.replaceSubrange(0...0, with: reference.path.steps)
    object = reference.base
    return true
  }

  /// The transformers from the written end to the property. Throws for one that has no reverse.
  var backward: [AnyTransformer] {
    get throws(TideError) {
      if let oneWay = transformers.first(where: { $0.reverse == nil }) {
        throw TideError(
          .irreversible,
          "the ref's transformer \"\(oneWay.name)\" has no reverse, which writing through it needs")
      }
      return transformers.reversed().map(\.swapped)
    }
  }
}

extension BindingContext {
  /// The transformers between two ends, with those of references, in the direction of the arrow.
  func chain(
    from left: ResolvedEndpoint, _ calls: [TransformCall], to right: ResolvedEndpoint,
    _ options: BindingOptions,
    for arrow: Arrow
  ) throws -> TransformChain {
    let added = try added(options)
    if added.isEmpty && left.references.isEmpty && right.references.isEmpty {
      return try TransformChain(calls, in: table.transformers, for: arrow)
    }
    let named = try calls.map { try table.transformers.make($0) } + added
    if arrow.goesLeft && arrow.appliesForwardLeftward {
      return try TransformChain(right.transformers + named + left.backward, for: arrow)
    }
    if arrow.goesLeft { _ = try left.backward }
    // An arrow that only goes left uses the reverses.
    let last = arrow.goesRight ? try right.backward : right.transformers.reversed().map(\.swapped)
    return try TransformChain(left.transformers + named + last, for: arrow)
  }

  /// The transformers that options add to those of an expression.
  func added(_ options: BindingOptions) throws -> [AnyTransformer] {
    guard let format = options.format else { return options.transformers }
    let call = TransformCall("format", arguments: [.string(format)])
    return options.transformers + [try table.transformers.make(call)]
  }
}
