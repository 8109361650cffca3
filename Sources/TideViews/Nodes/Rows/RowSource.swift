import TideBindings
import TideGraph

/// The source of a view's rows: a list, or the expanded part of a tree.
protocol RowSource: AnyObject {
  var count: Int { get }
  /// The object of a row; null beyond the end and for a list's null marker.
  func row(_ index: Int) -> Value
  func index(of value: Value) -> Int?
  /// The elements removed by each removal among the edits being reported, in the same order; empty
  /// if they were not requested or are not known.
  var removals: [[Value]] { get }
  /// The list whose elements are the rows' objects; nil for other kinds of sources.
  var list: ValueList? { get }
  /// Whether the rows belong to a list controller, which has a selection of its own.
  var isOfController: Bool { get }
  /// Removes and returns the edits that have not been delivered to the view.
  func takePending() -> [RowEdit]
}

extension RowSource {
  func takePending() -> [RowEdit] { [] }
}

/// Observes the edits of a list for the view that shows it.
final class ListFollowing: RowSource {
  let rows: any ListObject
  private(set) var removals: [[Value]] = []
  /// Whether removed elements are recorded.
  var notesRemovals = false
  private var observer: Slot?
  private var observing: ListObserver?
  private let graph: Graph
  private let link = Link()

  /// Refers to the object for as long as it exists. A weak reference would slow down reference
  /// counting for rows that are read by the thousand.
  private final class Link {
    unowned(unsafe) var target: ListFollowing?
  }

  /// Calls the function with the edits of each wave, after the graph has settled.
  init(_ list: any ListObject, _ changed: @escaping ([RowEdit]) -> Void) {
    rows = list
    graph = list.graph
    link.target = self
    if let list = list as? ValueList {
      let observing = ListObserver(ListObservationOptions(batch: true)) { [link] changes in
        // The callback may replace the view's list and release this object.
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

  /// The first inserted or replaced element that matches, at its current index.
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
