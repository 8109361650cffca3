public import TideGraph

/// A transformer on engine values, with its arguments bound.
///
/// ```swift
/// let shout = AnyTransformer("shout") { value in
///   if case .string(let text) = value { .string(text.uppercased() + "!") } else { value }
/// }
/// ```
///
/// A function that throws fails the binding. A function that returns `Value.unchanged` keeps the
/// target from being written.
public struct AnyTransformer {
  /// Converts a value, or throws.
  public typealias Function = (Value) throws -> Value
  /// Transforms the value of one slot into another, and returns whether that one has changed. A
  /// value that cannot be stored directly is passed to the given function.
  package typealias SlotFunction = (Slot, Slot, (Value) throws -> Bool) throws -> Bool

  /// The name in messages.
  public var name: String
  /// Nil only for a reversed transformer that has no reverse.
  public var forward: Function?
  /// The reverse function; nil for none.
  public var reverse: Function?
  /// Whether the forward function is always asynchronous, so that a two-way binding rejects it.
  package var isAsync = false
  /// The forward function on slots, for bindings that do not inspect values.
  package var slotFunction: SlotFunction?
  /// The time, in seconds since the epoch, at which the forward result for a value changes by
  /// itself; nil when it does not.
  package var renewal: ((Value) -> Double?)?
  /// Its location in an expression.
  package var location: ExpressionLocation?

  /// Makes a transformer of functions on values.
  public init(_ name: String, _ forward: @escaping Function, reverse: Function? = nil) {
    self.name = name
    self.forward = forward
    self.reverse = reverse
  }

  /// Makes a transformer from a Swift one. The input is converted to its input type as a binding
  /// would.
  public init<Input: TideConvertible, Output: TideConvertible>(
    _ name: String, _ transformer: Transformer<Input, Output>
  ) {
    if let waits = transformer.waits {
      self.init(name, waits)
      isAsync = true
      return
    }
    let backward = transformer.reverse
    self.init(
      name,
      { try transformer.transform(Self.input($0, as: Input.self)).makeValue() },
      reverse: backward.map { backward in
        { try backward(Self.input($0, as: Output.self)).makeValue() }
      })
  }

  /// The transformer with its directions swapped, as `!` requests.
  var swapped: AnyTransformer {
    var swapped = self
    swap(&swapped.forward, &swapped.reverse)
    swapped.renewal = nil
    swapped.slotFunction = nil
    return swapped
  }

  static func input<Input: TideConvertible>(
    _ value: Value, as type: Input.Type
  ) throws(TideError) -> Input {
    if let input = Input.make(from: value) { return input }
    if let input = Input.make(from: try value.converted(to: Input.valueType)) { return input }
    throw value.conversionError(to: "\(Input.self)")
  }
}

extension AnyTransformer {
  /// The function of an asynchronous Swift transformer. It runs on the concurrency pool, or on its
  /// actor.
  static func waiting<Input: TideConvertible & Sendable, Output: TideConvertible & Sendable>(
    _ transform: @escaping @Sendable (Input) async throws -> Output
  ) -> Function {
    { value in
      let input = try Self.input(value, as: Input.self)
      throw PendingValue { table, completion in
        let post = try table.clock(for: "an asynchronous transformer").post
        let relay = Relay(completion)
        let task = Task {
          let result: Result<Output, any Error>
          do { result = .success(try await transform(input)) } catch { result = .failure(error) }
          post {
            let completion = relay.content
            relay.end()
            completion?(result.map { $0.makeValue() })
          }
        }
        return {
          relay.end()
          task.cancel()
        }
      }
    }
  }
}
