import TideBindings

/// A binding as a line of a script writes it, shared by all that this line makes.
final class BindingSource {
  /// Nil for one that was found, not made, by a script.
  let plan: BindingPlan?
  let text: String
  let location: SourceLocation?
  let origin: BindingOrigin
  /// Whether other calls of the same line write the same.
  let isShared: Bool

  init(
    _ plan: BindingPlan?, _ text: String, at location: SourceLocation?, name: String? = nil,
    isShared: Bool = false, in table: BindingTable
  ) {
    self.plan = plan
    self.text = text
    self.location = location
    self.isShared = isShared
    origin = BindingOrigin(text: text, location: location, name: name, in: table)
  }
}
