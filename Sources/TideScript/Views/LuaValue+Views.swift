import TideBindings
import TideLua
import TideViews

// The views among a script's results.
extension LuaValue {
  /// The deepest nesting of tables.
  private static let depthLimit = 20

  /// The elements of a table in order. Nil elements, as in `test and view or nil`, are skipped.
  static func elements(of entries: [(key: LuaValue, value: LuaValue)]) -> [LuaValue] {
    var elements: [(index: Int, value: LuaValue)] = []
    var isInOrder = true
    for (key, value) in entries {
      guard case .integer(let index) = key, index > 0 else { continue }
      if let last = elements.last, last.index > index { isInOrder = false }
      elements.append((index, value))
    }
    if !isInOrder { elements.sort { $0.index < $1.index } }
    return elements.map(\.value)
  }

  /// The views that a function returned, directly or in tables. False and nil are skipped.
  static func views(in results: [LuaValue], givenBy giver: String) throws -> [View] {
    var views: [View] = []
    try add(results, to: &views, giver, depth: 0)
    return views
  }

  private static func add(
    _ values: [LuaValue], to views: inout [View], _ giver: String, depth: Int
  ) throws {
    for value in values where value.isTruthy {
      if let view = value.object?.dataObject as? View {
        views.append(view)
      } else if case .table(let table) = value {
        guard depth < depthLimit else {
          throw TideError(
            .depth,
            "the views that \(giver) gives nest more than \(depthLimit) tables deep, or a table "
              + "contains itself")
        }
        try add(elements(of: table.entries()), to: &views, giver, depth: depth + 1)
      } else {
        throw TideError(.wrongType, "\(giver) gives views, not \(value.preview)")
      }
    }
  }
}
