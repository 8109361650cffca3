package import TideGraph

// What a person has entered in a view and the view itself cannot make a value of: a text that is no
// number, a date outside the bounds of its field. No binding ever sees it, so that the model keeps
// what it has; it is an error of the person's all the same, in the words that the property has for
// it.

/// Where a person enters what may turn out to be no value.
package protocol EntryHolder: DataObject {
  /// What is wrong with what is entered there now.
  var entryErrors: [TideError] { get }
}

/// The entry holders of a table that have had something to tell.
struct EntryHolders {
  private var holders: [ObjectIdentifier: WeakHolder] = [:]
  private var order = 0

  private struct WeakHolder {
    weak var holder: (any EntryHolder)?
    let order: Int
  }

  mutating func insert(_ holder: any EntryHolder) {
    if holders[ObjectIdentifier(holder)]?.holder === holder { return }
    holders = holders.filter { $0.value.holder != nil }
    order += 1
    holders[ObjectIdentifier(holder)] = WeakHolder(holder: holder, order: order)
  }

  mutating func remove(_ holder: any EntryHolder) { holders[ObjectIdentifier(holder)] = nil }

  /// The one that has had something to tell for the longest comes first.
  var errors: [TideError] {
    holders.values.sorted { $0.order < $1.order }.flatMap { $0.holder?.entryErrors ?? [] }
  }
}

extension BindingTable {
  /// Lists what an object tells of its entries, for as long as it has anything to tell.
  package func noteEntries(of holder: any EntryHolder) {
    if holder.entryErrors.isEmpty {
      entryHolders.remove(holder)
    } else {
      entryHolders.insert(holder)
    }
  }

  /// An app's words in its language, where `strings` has them.
  func translated(_ words: String) -> String {
    graph.untracked { transformers.language.translate(words) }
  }

  /// What a person is told who has entered something in a field that the field cannot make a value
  /// of: the words of the property that it is for, where it has some, else those given.
  package func entryError(_ message: String, for entry: Value, at slot: Slot, isRead: Bool)
    -> TideError
  {
    var error = TideError(isRead ? .refused : .conversion, message)
    if let words = words(for: entry, at: slot, error) { error.message = words }
    error.isOfEdit = true
    return error
  }

  /// What a person is told who has entered nothing where a property says that something is
  /// required; nil where none does.
  package func requirement(at slot: Slot) -> String? {
    for messages in messages(at: slot) where messages.required != nil {
      return words(of: messages, for: .null, TideError(.conversion, "something is required"))
    }
    return nil
  }

  private func words(for entry: Value, at slot: Slot, _ error: TideError) -> String? {
    for messages in messages(at: slot) {
      if let text = words(of: messages, for: entry, error) { return text }
    }
    return nil
  }

  /// A function for words that fails is a mistake of the program's, and stands for the words.
  private func words(
    of messages: EditMessages, for entry: Value, _ error: TideError
  ) -> String? {
    do {
      let words = try graph.untracked { try messages.words(for: entry, error, isOfControl: true) }
      return words.map(translated)
    } catch {
      return list(TideError(wrapping: error, graph: graph)).message
    }
  }
}
