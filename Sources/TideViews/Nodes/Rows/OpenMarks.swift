import TideGraph

/// Objects that are marked as open, without being kept alive.
struct OpenMarks {
  private var marks: [ObjectIdentifier: Mark] = [:]
  private var limit = 64

  private final class Mark {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
  }

  var count: Int { marks.count }

  mutating func insert(_ value: Value) {
    guard case .object(let object) = value else { return }
    marks[ObjectIdentifier(object)] = Mark(object)
    if marks.count < limit { return }
    // Those of objects that are gone are looked for now and then.
    marks = marks.filter { $0.value.object != nil }
    limit = max(64, 2 * marks.count)
  }

  mutating func remove(_ value: Value) {
    guard case .object(let object) = value else { return }
    marks[ObjectIdentifier(object)] = nil
  }

  func contains(_ value: Value) -> Bool {
    guard case .object(let object) = value else { return false }
    return marks[ObjectIdentifier(object)]?.object === object
  }
}
