public import TideBindings
import TideGraph

/// The action of a control, as an object of its own.
///
/// ```swift
/// final class Save: DataObject, Command {
///   @Property var canExecute = false
///   func execute(_ sender: View) throws { print("saved") }
/// }
/// try context.on(button, .touchUpInside, perform: Save())
/// ```
///
/// A property `canExecute`, if the command has one, contributes to whether its controls are
/// enabled. While it is false the command is not executed, regardless of the sender.
public protocol Command: DataObject {
  /// Runs the command on the scene's thread. The sender is the view that triggered it.
  ///
  /// - Throws: why the command failed; the scene receives the error as that of a handler.
  func execute(_ sender: View) throws
}

extension BindingContext {
  /// Calls a function on a view's event; with `initial` also once, immediately.
  ///
  /// ```swift
  /// try context.on(button, .touchUpInside) { _ in person.age += 1 }
  /// ```
  ///
  /// - Throws: `unknownEvent`, with the nearest name, for a name that no class sends, or that a
  ///   view without subviews does not send; with `initial` also the function's error.
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

  /// Executes a command by a function; the command's `canExecute` contributes to whether the view
  /// is enabled.
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
  /// Whether it is a command with a false `canExecute`.
  fileprivate var refusesExecution: Bool {
    guard shape.index(of: "canExecute") != nil else { return false }
    return graph.untracked { self["canExecute"] } == false
  }
}
