import TideBindings
import TideGraph

/// Detects changes of a row's properties as long as the row is followed.
final class RowMark {
  private let mark: ChangeMark

  /// - Parameter changed: called with the row at each settle that changes a property.
  init(_ row: DataObject, _ names: [String], _ changed: @escaping (DataObject) -> Void) {
    mark = ChangeMark(row.graph) { [weak row] in if let row { changed(row) } }
    mark.read { for name in names { _ = row[name] } }
  }

  deinit { mark.end() }
}
