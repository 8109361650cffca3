import TideViews

/// The operations of one message. People who receive other content than the rest, such as a
/// question to them alone, have a message of their own.
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

  /// Separates a person's message from that of all others, from now on.
  mutating func setApart(_ person: ScenePerson) {
    if own.contains(where: { $0.person === person }) { return }
    own.append((person, others))
  }

  /// Writes operations to the message of each separated person who receives the content of an
  /// element, and to the message of all others, for whom the reader is nil.
  ///
  /// The owners of all elements must have been separated before.
  mutating func write(
    to element: PageElement? = nil, _ body: (_ reader: ScenePerson?, inout WireText) -> Void
  ) {
    if own.isEmpty || element?.isSent(to: nil) ?? true { body(nil, &others) }
    for index in own.indices where element?.isSent(to: own[index].person) ?? true {
      body(own[index].person, &own[index].wire)
    }
  }

  /// The operations for a person's pages; nil stands for anyone who is not separated.
  func text(for person: ScenePerson?) -> WireText {
    own.first { $0.person === person }?.wire ?? others
  }

  /// Whether all pages receive the same message.
  var isForAll: Bool { own.isEmpty }
}
