/// Somebody who holds an edit that the model does not have yet: a field that is being typed into, or
/// whose text the model refused.
///
/// An editor tells the controller when it begins and when it is done; the controller asks it to
/// commit before the selection moves, and when the program says so.
public protocol Editor: AnyObject {
  /// Writes the edit to the model. Throws when the model refuses it; the edit then goes on.
  func commitEditing() throws
  /// Drops the edit and shows what the model has.
  func discardEditing()
}
