public import TideBindings
import TideGraph

/// Something that a control does, as an object of its own.
///
/// ```swift
/// final class Save: DataObject, Command {
///   @Property var canExecute = false
///   func execute(_ sender: View) throws { print("saved") }
/// }
/// try context.on(button, .touchUpInside, perform: Save())
/// ```
///
/// A property `canExecute`, if it has one, decides together with all else that does whether its
/// controls are enabled. While it is false the command is not executed, regardless of the sender.
public protocol Command: DataObject {
  /// Does it; called on the scene's thread with the view that it was asked of.
  ///
  /// - Throws: why it cannot be done, which goes to the scene as the error of a handler.
  func execute(_ sender: View) throws
}

extension BindingContext {
  /// Calls a function on a view's event, and with `initial` once now.
  ///
  /// ```swift
  /// try context.on(button, .touchUpInside) { _ in person.age += 1 }
  /// ```
  ///
  /// - Throws: `unknownEvent` for a name that no class sends, or that a view without subviews does
  ///   not send, with the nearest one; with `initial` also what the function throws.
  @discardableResult
  public func on(
    _ view: View, _ event: EventName, initial: Bool = false,
    _ body: @escaping (_ event: Event) throws -> Void
  ) throws -> ContextEntry {
    let handler = try view.on(event) { _, event in try body(event) }
    let belonging = own(setEnabled: { handler.isEnabled = $0 }) { handler.cancel() }
    if initial { try body(Event(event, sender: view)) }
    return belonging
  }

  /// Executes a command on a view's event.
  ///
  /// - Throws: `unknownEvent`, as with a function.
  @discardableResult
  public func on(
    _ view: View, _ event: EventName, perform command: any Command
  ) throws -> ContextEntry {
    try on(view, event, perform: command) { try command.execute($0) }
  }

  /// Executes a command by a function; its `canExecute` has a say in whether the view is enabled.
  package func on(
    _ view: View, _ event: EventName, perform command: DataObject,
    _ execute: @escaping (_ sender: View) throws -> Void
  ) throws -> ContextEntry {
    let handler = try view.on(event) { _, event in
      if command.refusesExecution { return }
      try execute(event.sender)
    }
    var enabling: Binding?
    if command.shape.index(of: "canExecute") != nil {
      let expression = BindingExpression(
        left: Path(steps: [.property("canExecute")]), arrow: .right,
        right: Path(steps: [.property("enabled")]))
      do {
        enabling = try bind(
          expression, text: "command: canExecute -> enabled", command, view, BindingOptions())
      } catch {
        handler.cancel()
        throw error
      }
    }
    return own(setEnabled: { handler.isEnabled = $0 }) {
      handler.cancel()
      enabling?.unbind()
    }
  }
}

extension DataObject {
  /// Whether it is a command that cannot be executed now.
  fileprivate var refusesExecution: Bool {
    guard shape.index(of: "canExecute") != nil else { return false }
    return graph.untracked { self["canExecute"] } == false
  }
}
