import TideGraph

/// An object that holds an edit which the model does not have yet, such as a field that is being
/// edited, or whose text the model refused.
///
/// ```swift
/// final class Draft: Editor {
///   let person: Person
///   var name = ""
///   init(of person: Person) { self.person = person }
///   func commitEditing() throws { try person.set("name", .string(name)) }
///   func discardEditing() { name = person.name }
/// }
/// people.objectDidBeginEditing(Draft(of: person))
/// ```
///
/// An editor notifies the controller when its edit begins and ends. The controller makes it commit
/// before the selection changes, and when the program calls `commitEditing()`.
public protocol Editor: AnyObject {
  /// Writes the edit to the model.
  ///
  /// - Throws: the error with which the model refuses the edit. The edit then continues.
  func commitEditing() throws
  /// Discards the edit and shows the model's value.
  func discardEditing()
}

/// An editor that can show a refused edit to the user who entered it.
package protocol RefusalShowing: AnyObject {
  /// Whether another user than the current one has entered the text. Such a text does not block the
  /// current user.
  var isOfAnother: Bool { get }
  func showRefusal()
}

/// The editor of a two-way binding whose source holds input that the model does not have, because
/// the typing continues or the model refused it.
final class BindingEditor: Editor, RefusalShowing {
  private unowned(unsafe) let table: BindingTable
  private let edge: EdgeIndex
  private let record: UInt32
  private weak var gate: Gate?
  private let controllerHandle: ObjectHandle

  init(_ table: BindingTable, _ edge: EdgeIndex, _ gate: Gate?, of controller: Controller) {
    self.table = table
    self.edge = edge
    self.gate = gate
    record = table.graph.owner(of: edge)
    controllerHandle = ObjectHandle(controller)
  }

  /// Its number among the controller's editors, in the order of registration.
  var number: Int? { (controllerHandle.object as? Controller)?.number(of: self) }

  func end() { (controllerHandle.object as? Controller)?.objectDidEndEditing(self) }

  var isOfAnother: Bool { source?.isEnteredByAnother ?? false }

  func showRefusal() { source?.takeFocusForEntry() }

  private var source: (any RecordEditor)? {
    guard isAlive else { return nil }
    return table.graph.source(of: edge).blockHeader?.block as? any RecordEditor
  }

  private var isAlive: Bool { table.graph.isBinding(edge, ownedBy: record) }

  func commitEditing() throws {
    guard isAlive else { return }
    if let gate { gate.fire() } else { table.graph.fire(edge) }
    if let error = table.details(of: record)?.error { throw error }
  }

  func discardEditing() {
    guard isAlive else { return }
    gate?.cancel()
    table.carryBack(edge, of: record)
  }
}
