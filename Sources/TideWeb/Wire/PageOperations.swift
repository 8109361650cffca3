import TideViews

/// The operations of one message. Pages of a person who is sent something else than the others, such
/// as a question that is for this person alone, have a text of their own.
///
/// ```swift
/// var operations = PageOperations()
/// operations.setApart(ann)
/// operations.write(to: question) { reader, wire in wire.raw("[\"remove\",12]") }
/// operations.text(for: ann)      // ["remove",12]
/// operations.text(for: bob)      // the text of all others, which is empty
/// ```
struct PageOperations {
  private var others = WireText()
  private var own: [(person: ScenePerson, wire: WireText)] = []

  /// Gives a person's pages a text of their own from now on.
  mutating func setApart(_ person: ScenePerson) {
    if own.contains(where: { $0.person === person }) { return }
    own.append((person, others))
  }

  /// Writes to the text of each person who is set apart, and to that of all others, for whom the
  /// reader is nil: to those whose pages are sent what is in an element.
  ///
  /// All who own an element have been set apart before.
  mutating func write(
    to element: PageElement? = nil, _ body: (_ reader: ScenePerson?, inout WireText) -> Void
  ) {
    if own.isEmpty || element?.isSent(to: nil) ?? true { body(nil, &others) }
    for index in own.indices where element?.isSent(to: own[index].person) ?? true {
      body(own[index].person, &own[index].wire)
    }
  }

  /// The operations for a person's pages; nil stands for anyone who is not set apart.
  func text(for person: ScenePerson?) -> WireText {
    own.first { $0.person === person }?.wire ?? others
  }

  /// Whether all pages are sent the same.
  var isForAll: Bool { own.isEmpty }
}
