public import TideGraph
import TideSystem

/// The transformers that expressions find by name: the built-in ones and the program's own.
///
/// ```swift
/// let registry = TransformerRegistry()
/// registry.register("initials", Transformer { (name: String) in
///   String(name.split(separator: " ").compactMap(\.first))
/// })
/// ```
///
/// A program's own transformer replaces a built-in one of the same name until it is removed.
public final class TransformerRegistry {
  /// Makes a transformer from the arguments that an expression gives it.
  package typealias Maker = (TransformerArguments) throws(TideError) -> AnyTransformer

  /// The seconds since the epoch, for transformers that depend on the time.
  public var now: () -> Double
  /// The language in which values are written.
  package let language = AppLanguage()
  /// Increases with every registration and removal. A transformer made before may be outdated.
  package private(set) var generation = 0
  /// The total to which texts among arguments are charged; nil for none.
  var heldTexts: CountedText.Sum?
  private var own: [String: Own] = [:]

  private struct Own {
    var make: Maker
    var usage: String
    var swift: Any?
  }

  /// Makes a registry of the built-in transformers.
  public init(now: @escaping () -> Double = TransformerRegistry.systemTime) {
    self.now = now
  }

  /// The time of day in seconds since 1970.
  public static func systemTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The program's own Swift transformer of a name; nil for built-in ones and others.
  public subscript<Input: TideConvertible, Output: TideConvertible>(
    name: String
  ) -> Transformer<Input, Output>? {
    get { own[name]?.swift as? Transformer<Input, Output> }
    @available(*, deprecated, message: "use register(_:_:) and remove(_:)")
    set {
      guard let newValue else { return remove(name) }
      register(name, newValue)
    }
  }

  /// Whether a name is that of a built-in transformer.
  package func hasBuiltIn(_ name: String) -> Bool { BuiltInTransformers.table[name] != nil }

  /// Registers a typed transformer that takes no arguments.
  public func register<Input: TideConvertible, Output: TideConvertible>(
    _ name: String, _ transformer: Transformer<Input, Output>
  ) {
    register(name, AnyTransformer(name, transformer))
    own[name]?.swift = transformer
  }

  /// Registers a transformer that takes no arguments.
  public func register(_ name: String, _ transformer: AnyTransformer) {
    register(name) { (arguments) throws(TideError) in
      try arguments.require(0...0)
      return transformer
    }
  }

  /// Registers a transformer that is made from its arguments each time an expression names it.
  package func register(_ name: String, usage: String? = nil, make: @escaping Maker) {
    own[name] = Own(make: make, usage: usage ?? name)
    generation += 1
  }

  /// Removes the program's own transformer of a name. A built-in one of that name is used again.
  public func remove(_ name: String) {
    if own.removeValue(forKey: name) != nil { generation += 1 }
  }

  /// Returns a function that restores the present registration of a name.
  package func restorer(of name: String) -> () -> Void {
    let known = own[name]
    return { [unowned self] in
      own[name] = known
      generation += 1
    }
  }

  /// Returns a function that restores all present registrations of the program.
  package func restorer() -> () -> Void {
    let known = own
    let age = generation
    return { [unowned self] in
      if generation == age { return }
      own = known
      generation += 1
    }
  }

  /// The notations of the built-in transformers, in alphabetical order.
  package static let builtInUsages = BuiltInTransformers.table.values.map(\.usage).sorted()

  /// The names of the built-in transformers, in alphabetical order.
  package static let builtInNames: [String] = BuiltInTransformers.table.keys.sorted()

  /// The notation of a built-in transformer, its description and a call with arguments.
  package static func description(
    ofBuiltIn name: String
  ) -> (usage: String, summary: String, example: String?)? {
    BuiltInTransformers.table[name].map { ($0.usage, $0.summary, $0.example) }
  }

  /// The notation of a transformer of the program's own; nil for any other.
  package func ownUsage(of name: String) -> String? { own[name]?.usage }

  /// Every name that an expression may use, sorted.
  public var names: [String] {
    Set(own.keys).union(BuiltInTransformers.table.keys).sorted()
  }

  private func hint(for name: String) -> String {
    NearestName.hint(
      for: name, in: Array(own.keys) + BuiltInTransformers.table.keys, areOrdered: false)
  }

  /// The transformer of a call in an expression, with its arguments checked; reversed by `!`.
  ///
  /// If the call comes from a text, an error has its column.
  package func make(_ call: TransformCall) throws(TideError) -> AnyTransformer {
    var transformer: AnyTransformer
    do throws(TideError) {
      transformer = try find(call)
    } catch {
      throw call.location?.locate(error) ?? error
    }
    transformer.location = call.location
    if let heldTexts, !call.arguments.isEmpty {
      let bytes = call.arguments.reduce(0) { $0 + $1.textBytes }
      transformer = transformer.keeping(CountedText(bytes, in: heldTexts))
    }
    return call.isReversed ? transformer.swapped : transformer
  }

  private func find(_ call: TransformCall) throws(TideError) -> AnyTransformer {
    if let own = own[call.name] {
      let arguments = TransformerArguments(call, usage: own.usage, now: now, language: language)
      try arguments.refuseEntries()
      return try own.make(arguments)
    }
    if let builtIn = BuiltInTransformers.table[call.name] {
      return try builtIn.make(
        TransformerArguments(call, usage: builtIn.usage, now: now, language: language))
    }
    throw TideError(
      .unknownTransformer,
      "there is no transformer \"\(call.name.inMessage)\"\(hint(for: call.name))"
    )
  }
}
