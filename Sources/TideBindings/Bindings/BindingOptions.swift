public import TideGraph

/// What else a binding may be told.
public struct BindingOptions {
  /// Copy the value when the binding is made, rather than at the next change.
  public var initial = true
  /// Shown for nil.
  public var null: Value?
  /// Shown while the path leads over nil, and when a value cannot be converted.
  public var fallback: Value?
  public var isEnabled = true
  public var name: String?
  /// Called after each write with the object, the value and the value that it came from.
  public var observe: ((_ object: DataObject?, _ value: Value, _ source: Value) -> Void)?
  /// Transformers after those of the expression.
  package var transformers: [AnyTransformer] = []
  package var location: SourceLocation?

  public init() {}
}
