import TideBindings
import TideGraph

/// A property of a shared model, as all know it.
struct SharedValue {
  var entry: SharedModels.Entry
  /// What the property holds here in its place, because it cannot be read here.
  var local: [UInt8]?
  /// What it holds here cannot be shared.
  var isAlone = false

  var isUnread: Bool { local != nil }

  /// Takes over what the property holds now, as something to write where it is another value.
  mutating func follow(
    _ bytes: [UInt8], of property: String, _ writes: inout [SharedModels.Write]
  ) {
    isAlone = false
    if bytes == local ?? entry.bytes { return }
    local = nil
    entry = .init(bytes: bytes, revision: entry.revision)
    writes.append(.init(key: .property(property), entry: entry, base: entry.revision))
  }
}

/// A list of a shared model, as all know it, and what stands for its rows here.
///
///     the list's elements ──follow──▶ writes of rows
///     entries of rows ──apply, arrange──▶ the list's elements
struct SharedList {
  /// In their order.
  private var rows: [Row] = []
  /// Elements that cannot be shared, with the index at which they stand.
  private(set) var alone: [(index: Int, value: Value)] = []

  private struct Row {
    let id: String
    var entry: SharedModels.Entry
    /// Nil where it cannot be read here.
    var value: Value?
    /// The value is not what the entry says.
    var isStale = false
  }

  /// An element as it is here now.
  struct Element {
    let value: Value
    /// Nil where it cannot be shared.
    let bytes: [UInt8]?
  }

  static func newID() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next() as UInt64, radix: 36)
  }

  /// Whether there are rows that cannot be read here.
  var hasUnread: Bool { rows.contains { $0.value == nil } }

  // MARK: From the others

  /// Notes rows that others have written, and those that they have removed, which have no entry.
  mutating func apply(_ changes: [String: SharedModels.Entry?]) {
    var new = changes
    rows = rows.compactMap { row in
      guard let change = new.removeValue(forKey: row.id) else { return row }
      guard let entry = change else { return nil }
      var row = row
      row.isStale = row.isStale || row.entry.bytes != entry.bytes
      row.entry = entry
      return row
    }
    for (id, entry) in new {
      if let entry { rows.append(Row(id: id, entry: entry, isStale: true)) }
    }
  }

  /// The elements that the list is to have, now that rows were noted.
  ///
  /// - Parameter read: makes a row's value of its bytes, with the one that it had so far; nil where it
  ///   cannot be read here, and then it is left out.
  mutating func arrange(_ read: (_ bytes: [UInt8], _ present: Value?) -> Value?) -> [Value] {
    rows.sort { ($0.entry.order, $0.id) < ($1.entry.order, $1.id) }
    for index in rows.indices where rows[index].isStale || rows[index].value == nil {
      rows[index].value = read(rows[index].entry.bytes, rows[index].value)
      rows[index].isStale = false
    }
    var values = rows.compactMap(\.value)
    for (index, value) in alone { values.insert(value, at: min(index, values.count)) }
    return values
  }

  // MARK: From here

  /// Takes over what the list holds now, as rows to write where it is something else.
  mutating func follow(
    _ elements: [Element], of property: String, _ writes: inout [SharedModels.Write]
  ) {
    alone = elements.enumerated().compactMap { index, element in
      element.bytes == nil ? (index, element.value) : nil
    }
    let now = elements.filter { $0.bytes != nil }
    let shown = rows.filter { $0.value != nil }
    if shown.count == now.count, zip(shown, now).allSatisfy({ $0.value == $1.value }) {
      return update(now, of: property, &writes)
    }
    let matched = Self.match(now, with: shown)
    let kept = Set(matched.compactMap { $0?.id })
    for row in shown where !kept.contains(row.id) {
      writes.append(
        .init(key: .row(list: property, id: row.id), entry: nil, base: row.entry.revision))
    }
    var result = rows.filter { $0.value == nil }
    let places = Self.places(
      of: matched.map { $0?.entry.order }, behind: result.map(\.entry.order).max() ?? "")
    for (index, element) in now.enumerated() {
      let known = matched[index]
      let entry = SharedModels.Entry(
        bytes: element.bytes ?? [], order: places[index], revision: known?.entry.revision ?? 0)
      let row = Row(id: known?.id ?? Self.newID(), entry: entry, value: element.value)
      if known?.entry.bytes != entry.bytes || known?.entry.order != entry.order {
        writes.append(
          .init(key: .row(list: property, id: row.id), entry: entry, base: entry.revision))
      }
      result.append(row)
    }
    rows = result.sorted { ($0.entry.order, $0.id) < ($1.entry.order, $1.id) }
  }

  /// Takes over what is in the elements, which are the ones that there were.
  private mutating func update(
    _ now: [Element], of property: String, _ writes: inout [SharedModels.Write]
  ) {
    var elements = now.makeIterator()
    for index in rows.indices where rows[index].value != nil {
      let known = rows[index].entry
      guard let bytes = elements.next()?.bytes, bytes != known.bytes else { continue }
      let entry = SharedModels.Entry(bytes: bytes, order: known.order, revision: known.revision)
      rows[index].entry = entry
      writes.append(
        .init(key: .row(list: property, id: rows[index].id), entry: entry, base: entry.revision))
    }
  }

  /// Notes the revision with which rows were written.
  mutating func note(_ revision: Int, of ids: Set<String>) {
    for index in rows.indices where ids.contains(rows[index].id) {
      rows[index].entry.revision = revision
    }
  }

  /// The rows that elements were before; nil for new ones.
  private static func match(_ now: [Element], with before: [Row]) -> [Row?] {
    var ofObjects: [ObjectIdentifier: [Row]] = [:]
    var ofValues: [[UInt8]: [Row]] = [:]
    for row in before.reversed() {
      if case .object(let object)? = row.value {
        ofObjects[ObjectIdentifier(object), default: []].append(row)
      } else {
        ofValues[row.entry.bytes, default: []].append(row)
      }
    }
    return now.map { element in
      if case .object(let object) = element.value {
        return ofObjects[ObjectIdentifier(object)]?.popLast()
      }
      return ofValues[element.bytes ?? []]?.popLast()
    }
  }

  /// Places for elements in their order: of those that had one, as many keep theirs as can.
  ///
  /// - Parameter unread: the last place of a row that cannot be read here; what comes at the end comes
  ///   after it.
  private static func places(of known: [String?], behind unread: String) -> [String] {
    let moved = outOfOrder(known)
    var places = known.map { $0 ?? "" }
    var index = 0
    while index < places.count {
      guard moved.contains(index) else {
        index += 1
        continue
      }
      var next = index
      while next < places.count, moved.contains(next) { next += 1 }
      let isAtEnd = next == places.count
      let before = index == 0 ? "" : places[index - 1]
      let new = OrderKeys.between(
        isAtEnd ? max(before, unread) : before, isAtEnd ? "" : places[next],
        count: next - index)
      for (offset, place) in new.enumerated() { places[index + offset] = place }
      index = next
    }
    return places
  }

  /// The indexes of those that need another place: all but a longest part that is in order.
  private static func outOfOrder(_ places: [String?]) -> Set<Int> {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      var low = 0, high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if places[ends[middle]] ?? "" < place { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var moved = Set(places.indices)
    var next = ends.last
    while let index = next {
      moved.remove(index)
      next = previous[index]
    }
    return moved
  }
}
