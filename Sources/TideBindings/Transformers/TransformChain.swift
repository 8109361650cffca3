import TideGraph
package import TideValues

/// The transformers of one binding, composed for the directions of its arrow.
///
/// From left to right they apply in the order written, forward; from right to left in reverse
/// order, each one's reverse. With the arrows `<~` and `<~!` a right-to-left assignment applies
/// them forward in the order written.
///
/// A marker such as `NoSelection` passes through untouched, and `unchanged` ends the chain.
package struct TransformChain {
  /// Carries a value from the left end to the right one; nil if the arrow does not go that way, or
  /// if there is nothing to apply.
  package let rightward: AnyTransformer.Function?
  /// Carries a value from the right end to the left one; nil as for `rightward`.
  package let leftward: AnyTransformer.Function?
  /// The time at which the rightward value for a value of the left end changes by itself.
  package let renewal: ((Value) -> Double?)?

  /// The slot function of an arrow that goes only to the right through a single transformer.
  package let direct: AnyTransformer.SlotFunction?

  package static var empty: TransformChain { TransformChain() }

  private init(
    rightward: AnyTransformer.Function? = nil, leftward: AnyTransformer.Function? = nil,
    renewal: ((Value) -> Double?)? = nil, direct: AnyTransformer.SlotFunction? = nil
  ) {
    self.direct = direct
    self.rightward = rightward
    self.leftward = leftward
    self.renewal = renewal
  }

  /// Composes transformers for the directions of an arrow.
  ///
  /// Throws `irreversible`, naming the transformer, when one lacks what the arrow needs.
  package init(_ transformers: [AnyTransformer], for arrow: Arrow) throws(TideError) {
    guard !transformers.isEmpty else {
      self.init()
      return
    }
    if arrow.goesRight, arrow.goesLeft, let waiting = transformers.first(where: { $0.isAsync }) {
      let error = TideError(
        .async,
        "the transformer \"\(waiting.name)\" takes its time, for which a two-way binding cannot wait; "
          + "use -> or <-")
      throw waiting.location?.locate(error) ?? error
    }
    var rightward: AnyTransformer.Function?
    var leftward: AnyTransformer.Function?
    if arrow.goesRight { rightward = Self.compose(try Self.forward(transformers, arrow)) }
    if arrow.goesLeft {
      leftward = Self.compose(
        arrow.appliesForwardLeftward
          ? try Self.forward(transformers, arrow) : try Self.backward(transformers, arrow))
    }
    self.init(
      rightward: rightward, leftward: leftward, renewal: Self.renewal(of: transformers),
      direct: transformers.count == 1 && !arrow.goesLeft ? transformers[0].slotFunction : nil)
  }

  /// Looks up the transformers that an expression names.
  package init(
    _ calls: [TransformCall], in registry: TransformerRegistry, for arrow: Arrow
  ) throws(TideError) {
    if calls.isEmpty {
      self.init()
      return
    }
    var transformers: [AnyTransformer] = []
    transformers.reserveCapacity(calls.count)
    for call in calls { transformers.append(try registry.make(call)) }
    try self.init(transformers, for: arrow)
  }

  private static func forward(
    _ transformers: [AnyTransformer], _ arrow: Arrow
  ) throws(TideError) -> [AnyTransformer.Function] {
    var functions: [AnyTransformer.Function] = []
    for transformer in transformers {
      guard let function = transformer.forward else {
        throw irreversible(transformer, isReversed: true, arrow)
      }
      functions.append(function)
    }
    return functions
  }

  private static func backward(
    _ transformers: [AnyTransformer], _ arrow: Arrow
  ) throws(TideError) -> [AnyTransformer.Function] {
    var functions: [AnyTransformer.Function] = []
    for transformer in transformers.reversed() {
      guard let function = transformer.reverse else {
        throw irreversible(transformer, isReversed: false, arrow)
      }
      functions.append(function)
    }
    return functions
  }

  private static func irreversible(
    _ transformer: AnyTransformer, isReversed: Bool, _ arrow: Arrow
  ) -> TideError {
    let name = transformer.name
    let reason = isReversed ? "\"!\(name)\" asks for" : "the arrow \(arrow.rawValue) needs"
    let error = TideError(
      .irreversible, "the transformer \"\(name)\" has no reverse, which \(reason)")
    return transformer.location?.locate(error) ?? error
  }

  private static func compose(_ functions: [AnyTransformer.Function]) -> AnyTransformer.Function {
    if functions.count == 1 {
      let function = functions[0]
      return { value in value.isStateMarker ? value : try function(value) }
    }
    return { value in
      var value = value
      for (index, function) in functions.enumerated() {
        if value.isStateMarker { return value }
        do {
          value = try function(value)
        } catch let pending as PendingValue {
          throw pending.then(functions[(index + 1)...])
        }
      }
      return value
    }
  }

  private static func renewal(of transformers: [AnyTransformer]) -> ((Value) -> Double?)? {
    guard transformers.contains(where: { $0.renewal != nil }) else { return nil }
    return { value in
      var value = value
      var soonest: Double?
      for transformer in transformers {
        if let renewal = transformer.renewal?(value) { soonest = min(renewal, soonest ?? renewal) }
        guard let next = try? transformer.forward?(value) else { break }
        value = next
      }
      return soonest
    }
  }
}

extension Value {
  /// True for markers that replace a value and are not transformed.
  @inline(__always) var isStateMarker: Bool {
    guard case .object(let object) = self else { return false }
    return object is Marker && object !== Marker.null
  }
}
