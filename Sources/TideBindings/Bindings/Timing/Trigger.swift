import TideGraph

/// What makes a binding carry its value: a change, a timer, a notification, or nothing but
/// `fire()`.
///
/// ```swift
/// var options = BindingOptions()
/// options.triggers = [try .change(form, "isSubmitted")]
/// try context.bind("text -> name", field, person, options)
/// ```
///
/// A binding follows the changes of its source unless it has triggers. Triggers can be added to and
/// removed from a live binding. In a two-way binding they control the direction from source to
/// target; the opposite direction still follows changes. While a binding is disabled, a change is
/// remembered, other triggers are dropped, and timers are paused.
public final class Trigger: CustomStringConvertible {
  /// The cause that fires it, for listings and messages.
  public let description: String
  /// Accounts for the memory of the trigger's name or path.
  package var held: CountedText?
  private let begin: (BindingTable, _ fire: @escaping () -> Void) throws -> Running

  /// A trigger that has been started for a binding.
  package struct Running {
    let stop: () -> Void
    let setEnabled: ((Bool) -> Void)?

    package init(setEnabled: ((Bool) -> Void)? = nil, stop: @escaping () -> Void) {
      self.setEnabled = setEnabled
      self.stop = stop
    }
  }

  /// - Parameter begin: arranges the calls of `fire`; throws if the trigger cannot start.
  package init(
    _ description: String,
    begin: @escaping (BindingTable, _ fire: @escaping () -> Void) throws -> Running
  ) {
    self.description = description
    self.begin = begin
  }

  /// The size in bytes of a started trigger with its closures. Timers, contexts and observations
  /// are counted by their owners.
  static let weight = 640

  func start(in table: BindingTable, _ fire: @escaping () -> Void) throws -> Running {
    try begin(table, fire)
  }

  /// Fires when the value at the end of a path has changed. The object is not kept alive.
  ///
  /// - Throws: `TideError` of code `unknownProperty` for a first step that the object does not
  ///   have, and of `syntax` or another code of paths for an invalid path.
  public static func change(_ object: DataObject, _ path: String) throws -> Trigger {
    _ = try Endpoint(object, Path(path))
    let handle = ObjectHandle(object)
    return Trigger("change of \(object.label).\(path)") { table, fire in
      guard let object = handle.object else { return Running {} }
      let context = BindingContext("trigger", in: table)
      try context.observe(object, path) { _, _ in fire() }
      return Running(setEnabled: { context.isEnabled = $0 }) { context.removeAll() }
    }
  }

  /// Fires repeatedly, at an interval in seconds.
  ///
  /// - Throws: `badArgument` for less than 0.001 seconds, nan or infinity.
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

extension Binding {
  /// Adds a trigger. Has no effect if the binding has the trigger already or has ended.
  ///
  /// - Throws: the `TideError` of starting the trigger, such as for an unknown property or event,
  ///   or `badArgument` for a timer without a runtime's clock.
  public func add(_ trigger: Trigger) throws {
    guard isAlive else { return }
    let details = table.makeDetails(for: index)
    if details.triggers.contains(where: { $0.trigger === trigger }) { return }
    let running = try trigger.start(in: table) { [self] in triggered() }
    // Starting it may have run a script, which may have ended the binding.
    guard isAlive else { return running.stop() }
    if !isFollowing { running.setEnabled?(false) }
    details.triggers.append((trigger, running))
  }

  /// Stops and removes a trigger. Has no effect on an ended binding.
  ///
  /// - Throws: `badArgument` if the binding does not have the trigger.
  public func remove(_ trigger: Trigger) throws(TideError) {
    guard isAlive else { return }
    let details = table.details(of: index)
    guard let index = details?.triggers.firstIndex(where: { $0.trigger === trigger }) else {
      throw TideError(
        .badArgument,
        "this binding has no such trigger (\(trigger)); keep the one that was given to it")
    }
    details?.triggers.remove(at: index).running.stop()
  }

  private func triggered() {
    guard isAlive else { return }
    if let gate = table.details(of: index)?.gates.first { return gate.trigger() }
    if isFollowing { fire() }
  }

  /// Whether it and its context are enabled.
  private var isFollowing: Bool {
    let record = table.record(index).pointee
    let edge = record.edge != 0 ? record.edge : record.reverse
    return edge != 0 && table.graph.isEnabled(edge)
  }
}
