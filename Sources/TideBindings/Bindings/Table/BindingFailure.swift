import TideGraph

/// The state of a property whose binding has no value.
package struct BindingFailure {
  /// The property's index; -1 for an entry of a dict.
  package let property: Int
  /// Whether the property still shows the last good value, which belongs to the same object.
  package let isStale: Bool
}

/// An object that displays the failures of its bindings.
package protocol ShowsBindingFailures: DataObject {
  /// Records that a binding has no value. A nil failure clears the record: the binding has a value
  /// again or has ended.
  func noteBinding(_ number: UInt32, _ failure: BindingFailure?)

  /// Its location on the screen, for error messages. Reads are not recorded.
  var failureSite: FailureSite { get }
}

/// The location of a binding failure on the screen.
package struct FailureSite: Hashable, Sendable {
  /// The view's class, and its id if it has one.
  package var view: String
  /// The row that contains the view; nil outside of rows.
  package var row: Row?

  /// A row of a list, table, tree or collection: its number, from 1, and its title.
  package struct Row: Hashable, Sendable {
    package var number: Int
    package var title: String

    package init(number: Int, title: String) {
      self.number = number
      self.title = title
    }
  }

  package init(view: String, row: Row? = nil) {
    self.view = view
    self.row = row
  }

  /// Formats the site, such as `label "name", row 2 ("avocado") and 3 more` for a failure in four
  /// rows.
  package func text(ofRows count: Int) -> String {
    guard let row else { return view }
    let title = row.title.isEmpty ? "" : " (\(TransformCall.quoted(String(row.title.prefix(40)))))"
    return "\(view), row \(row.number)\(title)" + (count > 1 ? " and \(count - 1) more" : "")
  }
}

/// An object on the screen. Its errors are no longer listed once it has been removed.
package protocol Removable: DataObject {
  /// Whether it has been removed from the screen.
  var isRemoved: Bool { get }
}

extension TideError {
  /// Whether the object that it belongs to has been removed from the screen.
  var isOfRemoved: Bool {
    guard let holder else { return false }
    guard let object = holder.object else { return true }
    return (object as? any Removable)?.isRemoved ?? false
  }
}

/// An object with its own text for nil.
package protocol ShowsNull: DataObject {
  /// The text shown for nil; nil for none.
  var shownForNull: String? { get }

  /// Whether nil in a property is shown by a mark, which is no part of the text that a person edits.
  func marksNull(inProperty index: Int) -> Bool

  /// Shows a mark in place of an empty text; nil for a value that is not nil.
  func showNull(_ mark: String?)
}

// Reports binding failures to the views at a binding's ends.
extension BindingTable {
  /// Shows an error at the first end that is a view. A nil message clears the error.
  func show(_ message: String?, of index: UInt32) {
    guard let ends = details(of: index)?.ends ?? Binding(index, self).objects else { return }
    for end in [ends.source.object, ends.target.object] {
      if let end, end.showsBindingErrors { return end.showBindingError(message) }
    }
  }

  /// The location of the view that a binding writes, else of the view that it reads.
  func site(of index: UInt32) -> FailureSite? {
    let binding = Binding(index, self)
    for end in [binding.target, binding.source] {
      if let view = end as? any ShowsBindingFailures { return view.failureSite }
    }
    return nil
  }

  /// The location of the view to whose property a computed value is bound.
  func site(ofComputed slot: Slot) -> FailureSite? {
    for edge in graph.dependents(of: slot) {
      let target = graph.target(of: edge).blockHeader?.block
      if let view = target as? any ShowsBindingFailures { return view.failureSite }
    }
    return nil
  }

  /// The removable view that a binding writes, else the one that it reads.
  func holder(of index: UInt32) -> ObjectHandle? {
    let binding = Binding(index, self)
    for end in [binding.target, binding.source] {
      if let view = end as? any Removable { return ObjectHandle(view) }
    }
    return nil
  }

  /// Clears the failure of a binding in the views at its ends, when the binding is removed.
  func noteEnd(of index: UInt32) {
    if details(of: index)?.error?.isOfEdit == true { show(nil, of: index) }
    guard let ends = details(of: index)?.ends ?? Binding(index, self).objects else { return }
    for end in [ends.source.object, ends.target.object] {
      (end as? any ShowsBindingFailures)?.noteBinding(index, nil)
    }
  }
}
