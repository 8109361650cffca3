package import TideBindings

/// Rarely used state of a view, in a separate object, so that most views need no memory for it.
final class ViewExtras {
  /// The bounds, if they have been read.
  var bounds: ViewBounds?
  /// Its bindings that have no value, by number.
  var failures: [UInt32: BindingFailure] = [:]
  /// The message of a binding error, while a rule is bound to `error` as well.
  var heldMessage: String?
  /// Keeps that message in `error`.
  var messageKeeper: PropertyObservers?
  /// Executes a command of `contextMenu` that is not a Swift `Command`.
  var execute: CommandExecutor?
  /// The person who last entered input in the view.
  var author: ScenePerson?
}

/// Executes a command of the host, with its menu item and the view that owns the menu.
package typealias CommandExecutor = (_ command: Value, _ item: Value, _ view: View) throws -> Void

extension View {
  /// The view's extras, created on first use.
  final var ownExtras: ViewExtras {
    if let extras { return extras }
    let made = ViewExtras()
    extras = made
    return made
  }

  /// Sets the function that executes commands of the view's `contextMenu` that are not Swift
  /// `Command`s.
  package final func executeCommands(by execute: @escaping CommandExecutor) {
    ownExtras.execute = execute
  }
}
