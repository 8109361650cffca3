package import TideBindings

/// What few views have, in an object of its own, so that the others need no memory for it.
final class ViewExtras {
  /// Where it is, once somebody has asked.
  var bounds: ViewBounds?
  /// Its bindings that have no value, by number.
  var failures: [UInt32: BindingFailure] = [:]
  /// What is wrong with what it holds, while a rule of its own is bound to `error` as well.
  var heldMessage: String?
  /// Keeps that in `error`.
  var messageKeeper: PropertyObservers?
  /// Executes a command of `contextMenu` that is none of Swift's.
  var execute: CommandExecutor?
  /// The person who was last to enter something in the view.
  var author: ScenePerson?
}

/// Executes a command that a host knows how to: with the item that it stands in, and the view that
/// the menu belongs to.
package typealias CommandExecutor = (_ command: Value, _ item: Value, _ view: View) throws -> Void

extension View {
  /// The view's extras, which are made when there are none.
  final var ownExtras: ViewExtras {
    if let extras { return extras }
    let made = ViewExtras()
    extras = made
    return made
  }

  /// Has a function execute the commands of the view's `contextMenu` that are none of Swift's.
  package final func executeCommands(by execute: @escaping CommandExecutor) {
    ownExtras.execute = execute
  }
}
