import TideBindings
import TideGraph

/// Where a view gets its rows from: a list, or the open part of a tree.
protocol RowSource: AnyObject {
  var count: Int { get }
  /// The object of a row; nil beyond the end, and for the marker of nil in lists.
  func row(_ index: Int) -> Value
  func index(of value: Value) -> Int?
  /// What the removals among the edits that are being reported took out, in their order; empty
  /// where nobody has asked, or it is not known.
  var removals: [[Value]] { get }
  /// The list whose elements are the rows' objects; nil where these are found in another way.
  var list: ValueList? { get }
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
  let rows: any ListObject
  private(set) var removals: [[Value]] = []
  /// Whether somebody wants to know what was removed.
  var notesRemovals = false
  private var observer: Slot?
  private var observing: ListObserver?
  private let graph: Graph
  private let link = Link()

  /// Leads back here as long as this is there. A weak reference would make counting slow for rows
  /// that are read by the thousand.
  private final class Link {
    unowned(unsafe) var target: ListFollowing?
  }

  /// Calls the function with the edits of each wave, after it has settled.
  init(_ list: any ListObject, _ changed: @escaping ([RowEdit]) -> Void) {
    rows = list
    graph = list.graph
    link.target = self
    if let list = list as? ValueList {
      let observing = ListObserver(ListObservationOptions(batch: true)) { [link] changes in
        // What is told may have the view show another list, and this one end.
        guard let target = link.target else { return }
        if target.notesRemovals { target.removals = changes.flatMap(RowEdit.removals) }
        changed(changes.flatMap(RowEdit.edits))
        target.removals = []
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
    link.target = nil
    if let observer { graph.dispose(observer) }
  }

  var list: ValueList? { rows as? ValueList }

  var count: Int { rows.trackedCount }

  func row(_ index: Int) -> Value {
    let value = rows.trackedElement(at: index) ?? .null
    return value == Marker.null.value ? .null : value
  }

  func index(of value: Value) -> Int? {
    if let list { return list.index(of: value) }
    return (0..<count).first { row($0) == value }
  }

  var isOfController: Bool { (rows as? FollowingList)?.controller != nil }

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
