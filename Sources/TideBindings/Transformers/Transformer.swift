public import TideGraph

/// A conversion of one Swift type to another, and back where it has a reverse.
///
/// ```swift
/// let percent = Transformer { (share: Double) in share * 100 } reverse: { $0 / 100 }
/// let label = percent.then(Transformer { (number: Double) in "\(number)%" })
/// try label.transform(0.25)   // "25.0%"
/// label.reverse               // nil: one of the two goes only forward
/// ```
///
/// One whose function is asynchronous takes its time: the target keeps what it had until the result
/// is there, and a result that a newer value has overtaken is dropped. It goes one way only.
///
/// ```swift
/// try runtime.register("avatar", Transformer { (name: String) async throws -> String in
///   try await download(name)
/// })
/// ```
public struct Transformer<Input, Output> {
  /// The way forward.
  public let transform: (Input) throws -> Output
  /// The way back; nil where there is none.
  public let reverse: ((Output) throws -> Input)?
  /// What an asynchronous one is on engine values.
  let waits: AnyTransformer.Function?

  /// Makes a transformer of functions; without `reverse` it goes one way only.
  public init(
    _ transform: @escaping (Input) throws -> Output,
    reverse: ((Output) throws -> Input)? = nil
  ) {
    self.transform = transform
    self.reverse = reverse
    waits = nil
  }

  /// One that takes its time. It needs a runtime, whose loop brings the result back; its function
  /// runs on the concurrency pool, or on its actor, and is cancelled when the result is not wanted
  /// any more.
  public init(_ transform: @escaping @Sendable (Input) async throws -> Output)
  where Input: TideConvertible & Sendable, Output: TideConvertible & Sendable {
    self.transform = { _ in
      throw TideError(
        .async, "this transformer takes its time; only a one-way binding can wait for it")
    }
    reverse = nil
    waits = AnyTransformer.waiting(transform)
  }

  /// This one first, then another; reversible when both are.
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

  /// The other way round; nil where there is no reverse.
  public var reversed: Transformer<Output, Input>? {
    reverse.map { Transformer<Output, Input>($0, reverse: transform) }
  }
}

extension Transformer where Input == String, Output == String {
  /// Without white space at either end, in both directions.
  public static var trimmed: Self { Self({ $0.trimmed }, reverse: { $0.trimmed }) }
  /// In capital letters.
  public static var uppercased: Self { Self({ try $0.mapped { $0.uppercased() } }) }
  /// In small letters.
  public static var lowercased: Self {
    Self({ try $0.mapped { FormatLocale.english.lowercased($0) } })
  }
  /// Each word with a capital letter and the rest small.
  public static var capitalized: Self { Self({ try $0.capitalizedWords(in: .english) }) }
}

extension Transformer where Input == Bool, Output == Bool {
  /// True for false, and false for true; both ways.
  public static var not: Self { Self({ !$0 }, reverse: { !$0 }) }
}

extension Transformer where Input == Double, Output == Double {
  /// Times a factor, and divided by it on the way back.
  public static func scaled(by factor: Double) -> Self {
    Self({ $0 * factor }, reverse: factor == 0 ? nil : { $0 / factor })
  }

  /// Plus a distance, and minus it on the way back.
  public static func offset(by distance: Double) -> Self {
    Self({ $0 + distance }, reverse: { $0 - distance })
  }

  /// Held within a range, both ways.
  public static func clamped(to range: ClosedRange<Double>) -> Self {
    let clamp = { (value: Double) in min(max(value, range.lowerBound), range.upperBound) }
    return Self(clamp, reverse: clamp)
  }
}
