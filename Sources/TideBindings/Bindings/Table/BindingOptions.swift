public import TideGraph

/// What else a binding may be told.
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
  /// Shown while the path leads over nil, and when a value cannot be converted.
  public var fallback: Value?
  /// Shown for a controller without a selection.
  public var noSelection: Value?
  /// Shown where selected objects differ.
  public var multipleValues: Value?
  /// Shown where selected objects have no such property.
  public var notApplicable: Value?
  /// Shows the value in a text: `%.2f`, as Lua's `string.format`, or `%{value1}@`, as Cocoa. It
  /// comes after all transformers.
  public var format: String?
  /// Whether the binding carries values from the beginning.
  public var isEnabled = true
  /// By which the binding is found in its context; nil for none.
  public var name: String?
  /// Called after each write with the object, the value and the value that it came from.
  public var observe: ((_ object: DataObject?, _ value: Value, _ source: Value) -> Void)?
  /// In place of the changes of the source; nil: those.
  public var triggers: [Trigger]?
  /// Carries the value when it has not changed for so many seconds.
  public var delay = 0.0
  /// Carries at most one value in so many seconds: the first at once, the latest afterwards.
  public var throttle = 0.0
  /// When the value is delivered.
  public var delivery = Delivery.settle
  /// The binding carries values only while this holds.
  public var when: Condition?
  /// Puts the target's value from before back when `when` holds no longer, and when the binding
  /// ends or is disabled, by itself or with its context. Not at the end of the app, and not where a
  /// new version of a script takes over.
  public var restoresValue = false
  /// Judges what is about to be written: gives it, or another value in its place, or throws.
  public var validate: ((Value) throws -> Value)?
  /// False: what a person types is carried when the editing ends.
  public var isContinuous = true
  /// What a person types is judged at once, also where it is carried only when the editing ends:
  /// what is wrong with it shows while it is typed.
  public var validatesImmediately = false
  /// Transformers after those of the expression.
  package var transformers: [AnyTransformer] = []
  /// Beside the changes of the source, or the triggers in their place.
  package var addedTriggers: [Trigger] = []
  package var location: SourceLocation? {
    didSet { origin = nil }
  }
  /// How it was written, where that is shared with others.
  package var origin: BindingOrigin?
  /// The texts among what a script has given.
  package var held: CountedText?

  /// The usual: a copy at first, then at every change.
  public init() {}

  /// When values are delivered, and where.
  ///
  /// A binding between properties delivers on their own thread, which is also the sender's: there
  /// `immediate` and `wait` are the same as `settle`. What they are for is sending values from
  /// other threads, with a `ValueSender`.
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

  /// What a binding depends on.
  public enum Condition {
    /// Neither nil nor false at the end of a path from the binding's left object.
    case path(String)
    /// Called again when something that it read has changed.
    case function(() throws -> Bool)
  }
}

extension BindingOptions {
  /// Whether values are looked at on their way.
  var looksAtValues: Bool {
    null != nil || fallback != nil || observe != nil || validate != nil || noSelection != nil
      || multipleValues != nil || notApplicable != nil
  }

  /// The bytes of the texts among them.
  package var textBytes: Int {
    let shown = [null, fallback, noSelection, multipleValues, notApplicable]
    var bytes = shown.reduce(0) { $0 + ($1?.textBytes ?? 0) }
    bytes += 2 * (format?.utf8.count ?? 0) + (name?.utf8.count ?? 0)
    if case .path(let path)? = when { bytes += 2 * path.utf8.count }
    return bytes
  }

  /// Whether something decides about when values are carried.
  var isGated: Bool {
    triggers != nil || delay > 0 || throttle > 0 || delivery == .frame || when != nil
      || !isContinuous || restoresValue
  }

  /// What is shown for a marker; nil for other values, and where nothing was said about it.
  func placeholder(for value: Value) -> Value? {
    guard case .object(let object) = value else { return nil }
    if object === Marker.noSelection { return noSelection }
    if object === Marker.multipleValues { return multipleValues }
    if object === Marker.notApplicable { return notApplicable }
    return nil
  }
}
