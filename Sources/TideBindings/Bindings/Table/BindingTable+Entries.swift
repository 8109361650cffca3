package import TideGraph

// User input that a view cannot convert to a value, such as text in a number field or a date
// outside the bounds of its field. Bindings never see this input, so the model keeps its value. It
// is listed as an edit error, with the property's own message if there is one.

/// A view whose user input may be invalid.
package protocol EntryHolder: DataObject {
  /// The errors of the current input.
  var entryErrors: [TideError] { get }
}

/// The entry holders of a table that have errors.
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

  /// The errors of all holders. The holder that has had errors for the longest is first.
  var errors: [TideError] {
    holders.values.sorted { $0.order < $1.order }.flatMap { $0.holder?.entryErrors ?? [] }
  }
}

extension BindingTable {
  /// Lists the errors of a holder's input, or removes the holder from the list if there are none.
  package func noteEntries(of holder: any EntryHolder) {
    if holder.entryErrors.isEmpty {
      entryHolders.remove(holder)
    } else {
      entryHolders.insert(holder)
    }
  }

  /// Translates a text of the app into its language, if `strings` has a translation.
  func translated(_ words: String) -> String {
    graph.untracked { transformers.language.translate(words) }
  }

  /// The error for input that a field cannot convert to a value or must reject. Uses the message of
  /// the bound property if it has one, else the given message.
  package func entryError(_ message: String, for entry: Value, at slot: Slot, isRead: Bool)
    -> TideError
  {
    var error = TideError(isRead ? .refused : .conversion, message)
    if let words = words(for: entry, at: slot, error) { error.message = words }
    error.isOfEdit = true
    return error
  }

  /// The message for empty input at a property that requires a value; nil if none is required.
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

  /// If the message function itself fails, lists its error and returns that error's message.
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
