public import TideGraph

/// A conversion of one Swift type to another, and back if it has a reverse.
///
/// ```swift
/// let percent = Transformer { (share: Double) in share * 100 } reverse: { $0 / 100 }
/// let label = percent.then(Transformer { (number: Double) in "\(number)%" })
/// try label.transform(0.25)   // "25.0%"
/// label.reverse               // nil: one of the two goes only forward
/// ```
///
/// A transformer with an asynchronous function takes time: the target keeps its value until the
/// result arrives, and a result that a newer value has superseded is dropped. It goes one way only.
///
/// ```swift
/// try runtime.register("avatar", Transformer { (name: String) async throws -> String in
///   try await download(name)
/// })
/// ```
public struct Transformer<Input, Output> {
  /// The forward function.
  public let transform: (Input) throws -> Output
  /// The reverse function; nil for none.
  public let reverse: ((Output) throws -> Input)?
  /// The function of an asynchronous transformer on engine values; nil for any other.
  let waits: AnyTransformer.Function?

  /// Makes a transformer of functions. Without `reverse` it goes one way only.
  public init(
    _ transform: @escaping (Input) throws -> Output,
    reverse: ((Output) throws -> Input)? = nil
  ) {
    self.transform = transform
    self.reverse = reverse
    waits = nil
  }

  /// Makes an asynchronous transformer. It needs a runtime, whose event loop delivers the result.
  /// The function runs on the concurrency pool, or on its actor, and is cancelled when the result
  /// is no longer wanted.
  public init(_ transform: @escaping @Sendable (Input) async throws -> Output)
  where Input: TideConvertible & Sendable, Output: TideConvertible & Sendable {
    self.transform = { _ in
      throw TideError(
        .async, "this transformer takes its time; only a one-way binding can wait for it")
    }
    reverse = nil
    waits = AnyTransformer.waiting(transform)
  }

  /// Applies this transformer, then another one. The result is reversible if both are.
  public func then<Result>(_ next: Transformer<Output, Result>) -> Transformer<Input, Result> {
    let reverse: ((Result) throws -> Input)?
    if let first = self.reverse, let last = next.reverse {
      reverse = { try first(last($0)) }
    } else {
      reverse = nil
    }
    return Transformer<Input, Result>(
      { [transform] in try next.transform(transform($0)) }, reverse: reverse)
  }

  /// The transformer with its directions swapped; nil if there is no reverse.
  public var reversed: Transformer<Output, Input>? {
    reverse.map { Transformer<Output, Input>($0, reverse: transform) }
  }
}

extension Transformer where Input == String, Output == String {
  /// Removes white space at both ends, in both directions.
  public static var trimmed: Self { Self({ $0.trimmed }, reverse: { $0.trimmed }) }
  /// Converts to upper case.
  public static var uppercased: Self { Self({ try $0.mapped { $0.uppercased() } }) }
  /// Converts to lower case.
  public static var lowercased: Self {
    Self({ try $0.mapped { FormatLocale.english.lowercased($0) } })
  }
  /// Begins each word with a capital letter, and converts the rest to lower case.
  public static var capitalized: Self { Self({ try $0.capitalizedWords(in: .english) }) }
}

extension Transformer where Input == Bool, Output == Bool {
  /// Negates the value, in both directions.
  public static var not: Self { Self({ !$0 }, reverse: { !$0 }) }
}

extension Transformer where Input == Double, Output == Double {
  /// Multiplies by a factor. The reverse divides by it.
  public static func scaled(by factor: Double) -> Self {
    Self({ $0 * factor }, reverse: factor == 0 ? nil : { $0 / factor })
  }

  /// Adds a distance. The reverse subtracts it.
  public static func offset(by distance: Double) -> Self {
    Self({ $0 + distance }, reverse: { $0 - distance })
  }

  /// Clamps to a range, in both directions.
  public static func clamped(to range: ClosedRange<Double>) -> Self {
    let clamp = { (value: Double) in min(max(value, range.lowerBound), range.upperBound) }
    return Self(clamp, reverse: clamp)
  }
}
