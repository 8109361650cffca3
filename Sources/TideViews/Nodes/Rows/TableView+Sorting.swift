import TideBindings
import TideGraph

extension TableView {
  /// The column's key in a value of `sort`.
  static func key(of sort: String?) -> String? {
    sort.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
  }

  /// Sorts by a column on behalf of the user: ascending, then descending, then unsorted.
  func sortByHand(_ index: Int) {
    let key = columns[index].key
    let sort = peek(.sort, as: String?.self)
    let next: String?
    if Self.key(of: sort) != key {
      next = key
    } else {
      next = sort?.hasPrefix("-") == true ? nil : "-" + key
    }
    put(sort: next)
    send("sort", value: next.map { .string($0) } ?? .null)
  }

  func put(sort: String?) { put(.sort, sort.map { .string($0) } ?? .null) }

  /// Sorts the rows by `sort`.
  func followSort() {
    if isSorting || columns.isEmpty { return }
    followItems()
    let sort = peek(.sort, as: String?.self)
    if let sort, sortColumn == nil {
      // A controller may sort by a key that no column has.
      if let controller, key(ofControllerSort: controller["sort"]) == sort { return }
      let known = columns.filter { $0.sorting != nil }.map(\.key)
      let key = Self.key(of: sort) ?? sort
      report(
        TideError(
          .badArgument,
          "\(label).sort is the key of a column that can be sorted by, which \"\(key.inMessage)\" is not"
            + NearestName.hint(for: key, in: known)))
      return
    }
    guard let controller else {
      replaceSource()
      return
    }
    do { try sortController(controller, sort) } catch { report(error) }
    columnsMoved()
  }

  private var sortColumn: TableColumn? {
    let key = Self.key(of: peek(.sort, as: String?.self))
    return columns.first { $0.key == key && $0.sorting != nil }
  }

  /// The source of the rows, sorted here unless a controller sorts them.
  func makeSortedSource(_ items: Value) -> (any RowSource)? {
    follow(controllerOf: items)
    guard case .object(let list as ValueList) = items, controller == nil,
      let column = sortColumn
    else { return following(items) }
    do {
      let isDescending = peek(.sort, as: String?.self)?.hasPrefix("-") == true
      let sorted = try column.ordering(descending: isDescending)?.sorted(list) ?? list
      (sorted as? DerivedList)?.nameFailures { [weak self] in
        self.map { "sort of \($0.failureSite.view)" } ?? "sort"
      }
      return following(.object(sorted))
    } catch {
      report(error)
      return following(items)
    }
  }

  // MARK: A controller's order

  private func follow(controllerOf items: Value) {
    var found: ListController?
    if case .object(let list as FollowingList) = items {
      found = list.controller?.object as? ListController
    }
    if found === controller && (found == nil || controllerSort != nil) { return }
    controller = found
    controllerSort?.cancel()
    controllerSort = nil
    guard let found else { return }
    if let sort = peek(.sort, as: String?.self), sortColumn != nil {
      // The table's own order is applied first; afterwards the table shows the controller's order.
      do { try sortController(found, sort) } catch { report(error) }
    }
    controllerSort = graph.effect { [weak self, weak found] in
      guard let self, let found else { return }
      let order = self.key(ofControllerSort: found["sort"])
      graph.untracked {
        guard !self.isSorting, !found.isSortedByFunction else { return }
        self.isSorting = true
        self.put(sort: order)
        self.isSorting = false
        self.setNeedsDraw()
      }
    }
  }

  /// The value of `sort` for a controller's order.
  private func key(ofControllerSort value: Value) -> String? {
    guard let sort = Self.sort(from: value), let path = Self.key(of: sort) else { return nil }
    let column = columns.first { column in
      if case .path(path)? = column.sorting { true } else { false }
    }
    return (sort.hasPrefix("-") ? "-" : "") + (column?.key ?? path)
  }

  /// The first key in a controller's `sort`.
  private static func sort(from value: Value) -> String? {
    switch value {
    case .string(let sort): return sort
    case .object(let list as any ListObject):
      return list.trackedElement(at: 0).flatMap { sort(from: $0) }
    case .object(let object as DataObject):
      guard case .string(let key) = object["key"] else { return nil }
      let isDescending = object["descending"] == true || object["ascending"] == false
      return isDescending ? "-" + key : key
    default: return nil
    }
  }

  private func sortController(_ controller: ListController, _ sort: String?) throws {
    isSorting = true
    defer { isSorting = false }
    guard let sort, let column = sortColumn else {
      if Self.sort(from: controller["sort"]) != nil || controller.isSortedByFunction {
        controller.sort = nil
      }
      return
    }
    let isDescending = sort.hasPrefix("-")
    if case .path(let path)? = column.sorting {
      // Written as text, so that scripts can read it.
      let wanted = (isDescending ? "-" : "") + path
      if Self.sort(from: controller["sort"]) == wanted { return }
      try controller.set("sort", .string(wanted))
    } else {
      controller.sort = try column.ordering(descending: isDescending)
    }
  }
}

extension ListController {
  /// Whether it is sorted by a function.
  fileprivate var isSortedByFunction: Bool {
    guard case .object(let object) = self["sort"] else { return false }
    return !(object is DataObject)
  }
}
