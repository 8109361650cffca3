import TideBindings
import TideGraph

/// A list of a shared model. Maps its rows to the elements of the local list.
///
///     the list's elements ──follow──▶ rows to write
///     rows of others ──apply──▶ the list's elements
final class SharedList {
  let property: String
  unowned let shared: SharedModel
  /// Sorted by order key.
  private var rows: [SharedRow] = []
  private var rowsByID: [String: SharedRow] = [:]
  /// Values of rows that were removed here, until the removal is confirmed. Others may have changed
  /// these rows meanwhile.
  private var removed: [String: Value] = [:]
  /// Elements that cannot be shared, with their indexes.
  private var alone: [(index: Int, value: Value)] = []
  /// Identifies the runtime that declares the list first. Its elements become the initial rows.
  let marker: [UInt8]
  /// Whether the declared elements are provisional: they become the initial rows, or are dropped.
  private var isUnresolved = true
  private var entry: ContextEntry?
  /// Tracks appended elements; nil unless each row stands for one element.
  private var appended: AppendedElements?

  init(_ property: String, of shared: SharedModel) {
    self.property = property
    self.shared = shared
    marker = Array("list \(shared.replica.writer)".utf8)
  }

  deinit { entry?.cancel() }

  private var list: ValueList? {
    guard case .object(let list as ValueList)? = shared.model?[property] else { return nil }
    return list
  }

  /// Adopts the declared elements as default rows, and follows the list from then on.
  func begin() {
    shared.replica.set(.model, property, marker, isDefault: true)
    shared.graph.untracked {
      takeOver(list?.trackedElements ?? [], isDefault: true)
      // Another runtime may have declared the list before.
      resolve()
      apply(shared.replica.rowsOfOthers(in: property).map { ($0, []) })
    }
    entry = shared.context.effect { [unowned self] in
      guard let list else { return }
      // Read to depend on every change of the list.
      let count = list.trackedCount
      // Rows that could not be shown have not been removed.
      if isBehind { return }
      if !takeAppended(to: list, count) {
        takeOver(list.trackedElements)
        followEnd(of: list, count)
      }
      shared.sendLater()
    }
  }

  func end() {
    entry?.cancel()
    for row in rows { row.end() }
  }

  private static func newID() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }

  /// Whether the list lacks rows because a turn ran out of time or memory.
  private var isBehind = false
  /// Whether there are rows that cannot be read here.
  var hasUnread: Bool { rows.contains { $0.value == nil } }

  /// The number of rows of each class that the program does not declare.
  var missing: [String: Int] {
    rows.reduce(into: [:]) { counts, row in
      guard row.value == nil, let kind = shared.replica.entries[row.key]?[SharedDocument.kind],
        case .named(let name, _)? = SettingsObjectKind(text: String(decoding: kind, as: UTF8.self))
      else { return }
      counts[name, default: 0] += 1
    }
  }

  /// The element of a row; nil if the row is gone or cannot be read.
  func element(_ key: SharingKey) -> Value? {
    guard case .row(_, let id) = key else { return nil }
    return rowsByID[id]?.value ?? removed[id]
  }
  /// The objects that the list shows, with the ids of their rows.
  var objects: [(id: String, object: DataObject)] {
    rows.compactMap { row in
      guard case .object(let object as DataObject)? = row.value else { return nil }
      return (row.id, object)
    }
  }
  /// Whether a later turn may be able to show more rows.
  var isUnfinished: Bool { isBehind || rows.contains { $0.isUnfinished } }

  // MARK: Local changes

  /// Updates the rows to match the list's elements.
  private func takeOver(_ elements: [Value], isDefault: Bool = false) {
    if isShown(elements) { return }
    let wereAlone = alone
    alone = []
    var new: [Value] = []
    var contents: [[SharedDocument.Field]?] = []
    let shown = rows.filter { $0.value != nil }
    var former = FormerRows(shown, shared.values)
    var matched: [SharedRow?] = []
    for (index, element) in elements.enumerated() {
      if let row = former.take(element) {
        new.append(element)
        contents.append(nil)
        matched.append(row)
        continue
      }
      do throws(TideError) {
        let fields = try shared.fields(of: element)
        new.append(element)
        contents.append(fields)
        matched.append(nil)
      } catch {
        alone.append((index, element))
        if !wereAlone.contains(where: { $0.value == element }) { shared.noteUnsent(element, error) }
      }
    }
    for row in former.rest { remove(row) }
    rows.removeAll { $0.value != nil || rowsByID[$0.id] == nil }
    let last = rows.map(\.order).max() ?? ""
    let orders = Self.orders(of: matched.map { $0?.order }, behind: last)
    for index in new.indices {
      guard let row = matched[index] else {
        add(new[index], contents[index] ?? [], at: orders[index], isDefault: isDefault)
        continue
      }
      if row.order != orders[index] {
        row.order = orders[index]
        shared.set(row.key, SharedDocument.order, Array(orders[index].utf8), of: .null)
      }
      rows.append(row)
    }
    sort()
  }

  /// Tracks appended elements from now on, if each row stands for one element.
  private func followEnd(of list: ValueList, _ count: Int) {
    guard alone.isEmpty, rows.count == count, !hasUnread else {
      appended = nil
      return
    }
    if appended?.list !== list { appended = AppendedElements(list) }
    appended?.begin(at: count)
  }

  /// Adds rows for appended elements. Returns false if the list has changed in another way, or an
  /// element cannot be shared.
  private func takeAppended(to list: ValueList, _ count: Int) -> Bool {
    guard let appended, appended.list === list, let elements = appended.take(),
      rows.count + elements.count == count
    else { return false }
    var contents: [[SharedDocument.Field]] = []
    for element in elements {
      guard let fields = try? shared.fields(of: element) else { return false }
      contents.append(fields)
    }
    let orders = OrderKeys.between(rows.last?.order ?? "", "", count: elements.count)
    for (index, element) in elements.enumerated() {
      add(element, contents[index], at: orders[index])
    }
    appended.begin(at: count)
    return true
  }

  private func add(
    _ element: Value, _ fields: [SharedDocument.Field], at order: String, isDefault: Bool = false
  ) {
    let row = SharedRow(Self.newID(), order: order, value: element, in: self)
    for field in fields {
      shared.set(row.key, field.name, field.bytes, isDefault: isDefault, of: element)
    }
    shared.set(
      row.key, SharedDocument.order, Array(order.utf8), isDefault: isDefault, of: element)
    rowsByID[row.id] = row
    rows.append(row)
    row.follow()
  }

  /// Whether the list already shows these elements.
  private func isShown(_ elements: [Value]) -> Bool {
    var shown = rows.lazy.compactMap(\.value).makeIterator()
    var others = alone.makeIterator()
    var other = others.next()
    for (index, element) in elements.enumerated() {
      if let next = other, next.index == index {
        if next.value != element { return false }
        other = others.next()
      } else if shown.next() != element {
        return false
      }
    }
    return other == nil && shown.next() == nil
  }

  private func remove(_ row: SharedRow) {
    row.end()
    rowsByID[row.id] = nil
    shared.replica.remove(row.key, cause: shared.cause)
    if shared.replica.entries[row.key]?.pending != nil { removed[row.id] = row.value }
  }

  private func sort() { rows.sort { ($0.order, $0.id) < ($1.order, $1.id) } }

  // MARK: Remote changes

  /// Adopts changed rows.
  func apply(_ changes: [(id: String, fields: Set<String>)]) {
    if !removed.isEmpty {
      removed = removed.filter {
        shared.replica.entries[.row(list: property, id: $0.key)]?.pending != nil
      }
    }
    var isOther = false, isOutOfOrder = false
    var new: [SharedRow] = []
    for (id, fields) in changes {
      let exists = shared.replica.entries[.row(list: property, id: id)]?.exists == true
      if let row = rowsByID[id] {
        if !exists {
          row.end()
          rowsByID[id] = nil
          isOther = true
          continue
        }
        let order = row.order
        if row.apply(fields) { isOther = true }
        if row.order != order { isOutOfOrder = true }
      } else if exists {
        let row = SharedRow(id, order: "", value: nil, in: self)
        rowsByID[id] = row
        _ = row.apply([SharedDocument.order])
        row.read()
        new.append(row)
      }
    }
    if !isOther && !isOutOfOrder && (new.isEmpty || insert(&new)) { return }
    // From here on the cost grows with the number of rows, however few have changed.
    let start = ContinuousClock.now
    rows += new
    if isOther { rows.removeAll { rowsByID[$0.id] !== $0 } }
    if isOutOfOrder || !new.isEmpty { sort() }
    show()
    shared.intake.listTime += ContinuousClock.now - start
  }

  /// Inserts a few rows of other runtimes, each by binary search. Returns false, and leaves the
  /// remaining rows in `new`, if the whole list has to be shown again.
  private func insert(_ new: inout [SharedRow]) -> Bool {
    guard new.count <= max(1, rows.count / Self.fewRows), !isBehind, let list,
      let appended, appended.list === list, appended.isUntouched(at: rows.count),
      new.allSatisfy({ $0.value != nil })
    else { return false }
    while let row = new.last, let value = row.value {
      let index = place(of: row)
      do { try list.insert(value, at: index) } catch { return false }
      rows.insert(row, at: index)
      new.removeLast()
    }
    appended.begin(at: rows.count)
    return true
  }

  /// New rows are inserted one by one if they are at most one in this many rows.
  private static let fewRows = 64

  /// The index at which a row belongs.
  private func place(of row: SharedRow) -> Int {
    var low = 0, high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if (rows[middle].order, rows[middle].id) < (row.order, row.id) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Reads rows that could not be read so far.
  func readAgain() {
    var isOther = false
    for row in rows where row.value == nil {
      row.read()
      isOther = isOther || row.value != nil
    }
    if isOther { show() }
  }

  /// Sets the list to its rows again, in place of the elements that a reloaded script declares.
  func showAgain() { if isBehind || !isShown(list?.trackedElements ?? []) { show() } }

  private func show() {
    var elements = rows.compactMap(\.value)
    for (index, value) in alone { elements.insert(value, at: min(index, elements.count)) }
    do {
      try list?.set(elements)
      isBehind = false
    } catch {
      isBehind = true
      shared.showLater()
    }
  }

  /// Decides, from the model's document, whether the declared elements become the initial rows.
  /// They do if this runtime declared the list first.
  func resolve() {
    guard isUnresolved, let known = shared.replica.entries[.model]?.document?[property] else {
      return
    }
    isUnresolved = false
    let defaults = rows.filter { shared.replica.holdsDefaultsAlone($0.key) }
    if known == marker {
      for row in defaults { shared.replica.adoptDefaults(of: row.key) }
      shared.sendLater()
    } else if !defaults.isEmpty {
      for row in defaults {
        row.end()
        rowsByID[row.id] = nil
        shared.replica.dropDefaults(of: row.key)
      }
      rows.removeAll { rowsByID[$0.id] !== $0 }
      show()
    }
  }

  // MARK: Order

  /// Order keys for elements. As many elements as possible keep theirs.
  ///
  /// - Parameter unread: the last order key of a row that cannot be read here. Appended elements
  ///   follow that row.
  private static func orders(of known: [String?], behind unread: String) -> [String] {
    let moved = outOfOrder(known)
    var orders = known.map { $0 ?? "" }
    var index = 0
    while index < orders.count {
      guard moved.contains(index) else {
        index += 1
        continue
      }
      var next = index
      while next < orders.count, moved.contains(next) { next += 1 }
      let isAtEnd = next == orders.count
      let before = index == 0 ? "" : orders[index - 1]
      let new = OrderKeys.between(
        isAtEnd ? max(before, unread) : before, isAtEnd ? "" : orders[next], count: next - index)
      for (offset, order) in new.enumerated() { orders[index + offset] = order }
      index = next
    }
    return orders
  }

  /// The indexes of elements that need a new order key: all but a longest increasing subsequence.
  private static func outOfOrder(_ orders: [String?]) -> Set<Int> {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: orders.count)
    for (index, order) in orders.enumerated() {
      guard let order else { continue }
      var low = 0, high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if orders[ends[middle]] ?? "" < order { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var moved = Set(orders.indices)
    var next = ends.last
    while let index = next {
      moved.remove(index)
      next = previous[index]
    }
    return moved
  }
}

/// Records the elements appended to a list. Any other edit discards the record.
///
///     known: a b      edits: insert c at 2, insert d at 3      c d
private final class AppendedElements: ListFollower {
  private(set) weak var list: ValueList?
  private var end = 0
  private var elements: [Value]?

  init(_ list: ValueList) {
    self.list = list
    list.add(self)
  }

  func begin(at count: Int) {
    end = count
    elements = []
  }

  /// Whether the list is unchanged since it had this many elements.
  func isUntouched(at count: Int) -> Bool { end == count && elements?.isEmpty == true }

  func take() -> [Value]? {
    defer { elements = nil }
    return elements
  }

  func list(_ list: ValueList, did edit: ValueList.Edit, to old: [Value]) {
    guard let count = elements?.count else { return }
    if case .insert(let added, let place) = edit, place == end + count {
      elements?.append(contentsOf: added)
    } else {
      elements = nil
    }
  }
}
