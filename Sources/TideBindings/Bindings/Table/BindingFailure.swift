/// What a binding that has no value leaves in a property.
package struct BindingFailure {
  /// The property's index; -1 for an entry of a dict.
  package let property: Int
  /// Whether the last good value stays, which is of the same object.
  package let isStale: Bool
}

/// An object that shows which of its bindings have no value.
package protocol ShowsBindingFailures: DataObject {
  /// A binding has no value for it; nil when it has one again, or has ended.
  func noteBinding(_ number: UInt32, _ failure: BindingFailure?)

  /// Where a person finds it, for the errors of its bindings; not recorded.
  var failureSite: FailureSite { get }
}

/// Where a binding has failed, as a person finds it on the screen.
package struct FailureSite: Hashable, Sendable {
  /// The view: its class, and its id where it has one.
  package var view: String
  /// The row in which it stands, from 1, and what that shows first; nil outside of rows.
  package var row: Row?

  /// A row of a list, table, tree or collection.
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

  /// `label "name", row 2 ("avocado")`, and of how many rows that holds.
  package func text(ofRows count: Int) -> String {
    guard let row else { return view }
    let title = row.title.isEmpty ? "" : " (\(TransformCall.quoted(String(row.title.prefix(40)))))"
    return "\(view), row \(row.number)\(title)" + (count > 1 ? " and \(count - 1) more" : "")
  }
}

/// An object that is shown, and whose errors concern nobody once it has been taken away.
package protocol Removable: DataObject {
  /// Whether it was shown and is not any more.
  var isRemoved: Bool { get }
}

extension TideError {
  /// Whether what it belongs to has been taken away.
  var isOfRemoved: Bool {
    guard let holder else { return false }
    guard let object = holder.object else { return true }
    return (object as? any Removable)?.isRemoved ?? false
  }
}

/// An object that says as what nil is shown in its text.
package protocol ShowsNull: DataObject {
  /// Nil for nothing.
  var shownForNull: String? { get }

  /// Whether nil in a property is shown by a mark, which is no part of the text that a person edits.
  func marksNull(inProperty index: Int) -> Bool

  /// Shows a mark in place of an empty text; nil for a value that is not nil.
  func showNull(_ mark: String?)
}

// What a binding tells the views at its ends.
extension BindingTable {
  /// Shows what goes wrong, or goes right again, at an end that is a view.
  func show(_ message: String?, of index: UInt32) {
    guard let ends = details(of: index)?.ends ?? Binding(index, self).objects else { return }
    for end in [ends.source.object, ends.target.object] {
      if let end, end.showsBindingErrors { return end.showBindingError(message) }
    }
  }

  /// The view that a binding writes, else the one that it reads.
  func site(of index: UInt32) -> FailureSite? {
    guard let ends = details(of: index)?.ends ?? Binding(index, self).objects else { return nil }
    for end in [ends.target.object, ends.source.object] {
      if let view = end as? any ShowsBindingFailures { return view.failureSite }
    }
    return nil
  }

  /// The same view.
  func holder(of index: UInt32) -> ObjectHandle? {
    let binding = Binding(index, self)
    for end in [binding.target, binding.source] {
      if let view = end as? any Removable { return ObjectHandle(view) }
    }
    return nil
  }

  /// Clears the failure of a binding in the views at its ends, when the binding is removed.
  func noteEnd(of index: UInt32) {
    guard let ends = details(of: index)?.ends ?? Binding(index, self).objects else { return }
    for end in [ends.source.object, ends.target.object] {
      (end as? any ShowsBindingFailures)?.noteBinding(index, nil)
    }
  }
}
