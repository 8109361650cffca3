import TideGraph

/// Somebody who holds an edit that the model does not have yet: a field that is being typed into,
/// or whose text the model refused.
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
/// An editor tells the controller when it begins and when it is done; the controller asks it to
/// commit before the selection moves, and when the program says so.
public protocol Editor: AnyObject {
  /// Writes the edit to the model.
  ///
  /// - Throws: why the model refuses it; the edit then goes on.
  func commitEditing() throws
  /// Drops the edit and shows what the model has.
  func discardEditing()
}

/// An editor that can bring what was refused before the person who entered it.
package protocol RefusalShowing: AnyObject {
  /// Whether another person than the present one has entered the text. Such a text does not hold
  /// the present person back.
  var isOfAnother: Bool { get }
  func showRefusal()
}

/// A binding's end that holds what a person has edited and the model does not have: because the
/// typing goes on, or because the model refused it.
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

  /// Which of its controller's it is, in the order in which they came.
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
