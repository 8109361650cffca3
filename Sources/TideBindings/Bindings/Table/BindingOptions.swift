public import TideGraph

/// The options of a binding.
///
/// ```swift
/// var options = BindingOptions()
/// options.delay = 0.3
/// try context.bind("text -> name", field, person, options)
/// ```
public struct BindingOptions {
  /// Copy the value when the binding is made, rather than at the next change.
  public var initial = true
  /// Shown for nil.
  public var null: Value?
  /// Shown while the path is unresolved, and when a value cannot be converted.
  public var fallback: Value?
  /// Shown for a controller without a selection.
  public var noSelection: Value?
  /// Shown when the selected objects differ.
  public var multipleValues: Value?
  /// Shown when a selected object has no such property.
  public var notApplicable: Value?
  /// Formats the value as text: `%.2f` as in Lua's `string.format`, or `%{value1}@` as in Cocoa.
  /// Applied after all transformers.
  public var format: String?
  /// Whether the binding starts enabled.
  public var isEnabled = true
  /// The name by which the binding is found in its context; nil for none.
  public var name: String?
  /// Called after each write with the target object, the written value and the source's value.
  public var observe: ((_ object: DataObject?, _ value: Value, _ source: Value) -> Void)?
  /// The triggers that replace changes of the source; nil to follow changes.
  public var triggers: [Trigger]?
  /// Carries the value after it has been unchanged for this many seconds.
  public var delay = 0.0
  /// Carries at most one value per interval of this many seconds: the first at once, the latest at
  /// the end of the interval.
  public var throttle = 0.0
  /// When the value is delivered.
  public var delivery = Delivery.settle
  /// The binding carries values only while this holds.
  public var when: Condition?
  /// Restores the target's previous value when `when` no longer holds, and when the binding ends or
  /// is disabled, by itself or with its context; but not at the end of the app or in a reload.
  public var restoresValue = false
  /// Validates a value before it is written: returns it or another value, or throws.
  public var validate: ((Value) throws -> Value)?
  /// Whether typed text is carried with each change. If false, it is carried when the editing ends.
  public var isContinuous = true
  /// Validates typed text at once even if it is carried only when the editing ends, so that errors
  /// show while typing.
  public var validatesImmediately = false
  /// Transformers after those of the expression.
  package var transformers: [AnyTransformer] = []
  /// Triggers in addition to changes of the source, or to the triggers that replace them.
  package var addedTriggers: [Trigger] = []
  package var location: SourceLocation? {
    didSet { origin = nil }
  }
  /// The binding's notation, if it is shared with other bindings.
  package var origin: BindingOrigin?
  /// Accounts for the memory of the texts in a script's options.
  package var held: CountedText?

  /// Makes the default options: the value is copied at first, then at every change.
  public init() {}

  /// When values are delivered, and where.
  ///
  /// ```swift
  /// let level = try context.sender(to: meter.$level, deliver: .frame)
  /// ```
  ///
  /// A binding between properties delivers on their own thread, which is also the sender's: there
  /// `immediate` and `wait` are the same as `settle`. They matter for a `ValueSender`, which sends
  /// values from other threads.
  public enum Delivery: Sendable {
    /// Once the change has settled.
    case settle
    /// Together, before the next frame is drawn.
    case frame
    /// At once, on the sender's thread.
    case immediate
    /// While the sender waits.
    case wait
  }

  /// The condition under which a binding carries values.
  ///
  /// ```swift
  /// options.when = .path("isSubmitted")
  /// options.when = .function { person.age >= 18 }
  /// ```
  public enum Condition {
    /// Holds while the value of a path from the binding's left object is neither nil nor false.
    case path(String)
    /// Called again when something that it read has changed.
    case function(() throws -> Bool)
  }
}

extension BindingOptions {
  /// Whether an option needs to see the values that are carried.
  var looksAtValues: Bool {
    null != nil || fallback != nil || observe != nil || validate != nil || noSelection != nil
      || multipleValues != nil || notApplicable != nil
  }

  /// The size of the options' texts in bytes.
  package var textBytes: Int {
    let shown = [null, fallback, noSelection, multipleValues, notApplicable]
    var bytes = shown.reduce(0) { $0 + ($1?.textBytes ?? 0) }
    bytes += 2 * (format?.utf8.count ?? 0) + (name?.utf8.count ?? 0)
    if case .path(let path)? = when { bytes += 2 * path.utf8.count }
    return bytes
  }

  /// Whether an option decides when values are carried.
  var isGated: Bool {
    triggers != nil || delay > 0 || throttle > 0 || delivery == .frame || when != nil
      || !isContinuous || restoresValue
  }

  /// The placeholder for a marker; nil for other values and when none was given.
  func placeholder(for value: Value) -> Value? {
    guard case .object(let object) = value else { return nil }
    if object === Marker.noSelection { return noSelection }
    if object === Marker.multipleValues { return multipleValues }
    if object === Marker.notApplicable { return notApplicable }
    return nil
  }
}
