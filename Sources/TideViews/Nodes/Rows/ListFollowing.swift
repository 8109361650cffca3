import TideBindings
import TideGraph

/// Follows the edits of the list that a view shows, as long as it is kept.
final class ListFollowing {
  let list: any ListObject
  private var observer: Slot?
  private let graph: Graph

  /// Calls the function with the changes of each wave, after it has settled; with none when the list
  /// cannot say what has changed.
  init?(_ value: Value, _ changed: @escaping ([ListChange]) -> Void) {
    guard case .object(let list as any ListObject) = value else { return nil }
    self.list = list
    graph = list.graph
    if let list = list as? ValueList {
      observer = ListObserver(ListObservationOptions(batch: true)) { changed($0) }.observe(list)
    }
  }

  deinit {
    if let observer { graph.dispose(observer) }
  }

  var count: Int { list.trackedCount }

  /// The row at a place, from 0; the marker that stands for nil in lists is nil.
  func row(_ index: Int) -> Value {
    let value = list.trackedElement(at: index) ?? .null
    return value == Marker.null.value ? .null : value
  }

  func index(of value: Value) -> Int? {
    if let list = list as? ValueList { return list.index(of: value).map { $0 - 1 } }
    return (0..<count).first { row($0) == value }
  }
}
