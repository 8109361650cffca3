package import TideGraph

/// Tells a function of each entry of a dict that has changed, after everything has settled.
///
/// An entry that was written several times meanwhile is told of once, with the value it had before;
/// one that has its old value again is not.
package final class DictionaryObserver: ObserverBody {
  private let body: (_ key: DictionaryKey, _ new: Value, _ old: Value) throws -> Void
  private var pending: [DictionaryKey: (old: Value, new: Value)] = [:]
  /// The keys in the order in which they were first written.
  private var order: [DictionaryKey] = []

  package init(_ body: @escaping (_ key: DictionaryKey, _ new: Value, _ old: Value) throws -> Void)
  {
    self.body = body
  }

  func note(_ key: DictionaryKey, from old: Value, to new: Value) {
    if pending[key] == nil { order.append(key) }
    pending[key] = (pending[key]?.old ?? old, new)
  }

  package override func valueChanged(of source: Slot, from old: Value, to new: Value) throws {
    let (keys, changes) = (order, pending)
    order = []
    pending = [:]
    var failure: (any Error)?
    for key in keys {
      guard let change = changes[key], change.old != change.new else { continue }
      do { try body(key, change.new, change.old) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
