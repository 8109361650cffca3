import TideGraph

/// What makes a binding carry its value: a change, a timer, a notification, or nothing but `fire()`.
///
/// ```swift
/// var options = BindingOptions()
/// options.triggers = [try .change(form, "isSubmitted")]
/// try context.bind("text -> name", field, person, options)
/// ```
///
/// A binding follows the changes of its source unless it is given triggers; one that is added to a
/// live binding is live, one that is removed stops. Of a two-way binding they decide about the way
/// from the source to the target; the way back follows changes as before. While a binding is
/// disabled, a change is remembered, other triggers are dropped, and timers stand still.
public final class Trigger: CustomStringConvertible {
  public let description: String
  /// The name or the path in it.
  package var held: HeldText?
  private let begin: (BindingTable, _ fire: @escaping () -> Void) throws -> Running

  /// One that is under way for a binding.
  package struct Running {
    let stop: () -> Void
    let setEnabled: ((Bool) -> Void)?

    package init(setEnabled: ((Bool) -> Void)? = nil, stop: @escaping () -> Void) {
      self.setEnabled = setEnabled
      self.stop = stop
    }
  }

  /// - Parameter begin: sees to it that `fire` is called; throws what is wrong with it.
  package init(
    _ description: String,
    begin: @escaping (BindingTable, _ fire: @escaping () -> Void) throws -> Running
  ) {
    self.description = description
    self.begin = begin
  }

  /// Bytes of one that is under way, with the functions that it is made of; timers, contexts and
  /// observations are counted where they are kept.
  static let weight = 640

  func start(in table: BindingTable, _ fire: @escaping () -> Void) throws -> Running {
    try begin(table, fire)
  }

  /// Fires when the value at the end of a path has changed. Throws an unknown first step.
  ///
  /// The object is not kept alive.
  public static func change(_ object: DataObject, _ path: String) throws -> Trigger {
    _ = try BindingEnd(object, Path(path))
    let handle = ObjectHandle(object)
    return Trigger("change of \(object.label).\(path)") { table, fire in
      guard let object = handle.object else { return Running {} }
      let context = BindingContext("trigger", in: table)
      try context.observe(object, path) { _, _ in fire() }
      return Running(setEnabled: { context.isEnabled = $0 }) { context.removeAll() }
    }
  }

  /// Fires again and again. Throws when that is no time, or more often than a thousand times a
  /// second.
  public static func every(_ seconds: Double) throws -> Trigger {
    guard seconds >= 0.001, seconds.isFinite else {
      throw TideError(
        .badArgument, "a trigger fires every 0.001 seconds or less often, not every \(seconds)")
    }
    return Trigger("every \(seconds) seconds") { table, fire in
      let timer = try table.clock(for: "a trigger by time").schedule(
        after: seconds, repeating: true, fire)
      return Running(setEnabled: { timer.isEnabled = $0 }) { timer.cancel() }
    }
  }

  /// Never fires: the binding carries its value on `fire()` alone.
  public static func manual() -> Trigger {
    Trigger("manual") { _, _ in Running {} }
  }
}
