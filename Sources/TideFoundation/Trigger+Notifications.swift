public import Foundation
public import TideBindings

// In a product of its own, because a program that links the whole of Foundation is ten times as
// large, and scripts have notifications of their own.

extension Trigger {
  /// Fires when a notification of Foundation's is posted, on whatever thread.
  ///
  /// ```swift
  /// options.triggers = [.notification(.NSSystemTimeZoneDidChange)]
  /// ```
  ///
  /// Posted on the graph's own thread it fires at once, otherwise in one of the next turns of the
  /// runtime's loop. The object is not kept alive.
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
  /// Gives an object as long as somebody else keeps it.
  fileprivate static func weak(_ object: AnyObject?) -> () -> AnyObject? {
    { [weak object] in object }
  }
}
