import TideBindings
import TideGraph

/// Where a view gets its rows from: a list, or the open part of a tree.
protocol RowSource: AnyObject {
  var count: Int { get }
  /// The object of a row; nil beyond the end, and for the marker of nil in lists.
  func row(_ index: Int) -> Value
  func index(of value: Value) -> Int?
  /// Whether a list controller, which has a selection of its own, arranges the rows.
  var isOfController: Bool { get }
  /// The edits of which the view has not been told, and will not be.
  func takePending() -> [RowEdit]
}

extension RowSource {
  func takePending() -> [RowEdit] { [] }
}

/// Follows the edits of the list that a view shows, as long as it is kept.
final class ListFollowing: RowSource {
  let list: any ListObject
  private var observer: Slot?
  private var observing: ListObserver?
  private let graph: Graph

  /// Calls the function with the edits of each wave, after it has settled.
  init(_ list: any ListObject, _ changed: @escaping ([RowEdit]) -> Void) {
    self.list = list
    graph = list.graph
    if let list = list as? ValueList {
      let observing = ListObserver(ListObservationOptions(batch: true)) { changes in
        changed(changes.flatMap(RowEdit.edits))
      }
      self.observing = observing
      observer = observing.observe(list)
    }
  }

  convenience init?(_ value: Value, _ changed: @escaping ([RowEdit]) -> Void) {
    guard case .object(let list as any ListObject) = value else { return nil }
    self.init(list, changed)
  }

  deinit {
    if let observer { graph.dispose(observer) }
  }

  var count: Int { list.trackedCount }

  func row(_ index: Int) -> Value {
    let value = list.trackedElement(at: index) ?? .null
    return value == Marker.null.value ? .null : value
  }

  func index(of value: Value) -> Int? {
    if let list = list as? ValueList { return list.index(of: value) }
    return (0..<count).first { row($0) == value }
  }

  var isOfController: Bool { list is FollowingList }

  func takePending() -> [RowEdit] { observing?.takePending().flatMap(RowEdit.edits) ?? [] }

  /// The first element that edits have brought and that is as wanted, where it is by now.
  func firstElement(
    of edits: [RowEdit], where isWanted: (Value) -> Bool
  ) -> (value: Value, index: Int)? {
    for edit in edits {
      switch edit {
      case .insertion(let range), .replacement(let range):
        for index in range.clamped(to: 0..<count) {
          let value = row(index)
          if isWanted(value) { return (value, index) }
        }
      case .removal, .move: break
      }
    }
    return nil
  }
}
