public import Foundation
public import TideBindings

// A separate product, because linking all of Foundation makes a program ten times as large, and
// scripts have notifications of their own.

extension Trigger {
  /// Fires when a notification of Foundation is posted, on any thread.
  ///
  /// ```swift
  /// options.triggers = [.notification(.NSSystemTimeZoneDidChange)]
  /// ```
  ///
  /// If it is posted on the graph's own thread, the trigger fires at once, and otherwise in one of
  /// the next turns of the runtime's loop. The object is not retained.
  ///
  /// - Parameter object: the sender to listen to; nil for any.
  public static func notification(
    _ name: Notification.Name, from object: AnyObject? = nil,
    in center: NotificationCenter = .default
  ) -> Trigger {
    let isForAny = object == nil
    let sender = ObjectIdentifier.weak(object)
    return .outside("notification \"\(name.rawValue)\"") { fire in
      let object = sender()
      // Its sender is gone, so there is nothing to hear.
      if !isForAny && object == nil { return {} }
      let observer = center.addObserver(forName: name, object: object, queue: nil) { _ in fire() }
      return { center.removeObserver(observer) }
    }
  }
}

extension ObjectIdentifier {
  /// Returns a function that returns an object while it exists.
  fileprivate static func weak(_ object: AnyObject?) -> () -> AnyObject? {
    { [weak object] in object }
  }
}
