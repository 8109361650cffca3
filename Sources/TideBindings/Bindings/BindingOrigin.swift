/// How a binding was written: the same for all that one line makes.
package final class BindingOrigin {
  package let text: String?
  package let location: SourceLocation?
  package let name: String?
  private let held: HeldText?

  package init(
    text: String?, location: SourceLocation? = nil, name: String? = nil, in table: BindingTable
  ) {
    // What the text was parsed into takes as much again.
    held = table.hold(2 * (text?.utf8.count ?? 0) + (name?.utf8.count ?? 0))
    self.text = text
    self.location = location
    self.name = name
  }

  /// The text, after the name where there is one.
  package var description: String? {
    guard let name else { return text }
    return text.map { "\(name): \($0)" } ?? name
  }
}
