import TideBindings
import TideGraph

/// The content of a chart's `values`, kept up to date: the numbers of one series, or several lists
/// of numbers, or several objects with `values`, `title` and `color`.
final class ChartContent {
  private(set) var series: [ChartSeries] = []
  private var outer: ListFollowing?
  private let changed: () -> Void
  private var reported: Value?
  /// The last invalid element that was written to the list of a chart without series, and where.
  private var written = InvalidNumber()
  /// The maximum number of series; more could not be told apart.
  private static let limit = 32

  init?(_ value: Value, _ changed: @escaping () -> Void) {
    self.changed = changed
    guard let outer = ListFollowing(value, { [unowned self] in reload($0) }) else { return nil }
    self.outer = outer
    readSeries()
  }

  /// Throws `wrongType` for elements that are not numbers; nil is a gap.
  static func check(_ value: Value, of name: String) throws(TideError) {
    guard case .object(let list as any ListObject) = value else { return }
    for index in 0..<list.trackedCount {
      let element = list.trackedElement(at: index) ?? .null
      switch element {
      case .object(let series as any ListObject): try checkNumbers(in: series, of: name)
      case .object(let object as DataObject) where object.shape.index(of: "values") != nil:
        if case .object(let series as any ListObject) = object["values"] {
          try checkNumbers(in: series, of: name)
        }
      default: try check(number: element, at: index, of: name)
      }
    }
  }

  private static func checkNumbers(
    in list: any ListObject, of name: String
  ) throws(TideError) {
    for index in 0..<list.trackedCount {
      try check(number: list.trackedElement(at: index) ?? .null, at: index, of: name)
    }
  }

  private static func check(
    number: Value, at index: Int, of name: String
  ) throws(TideError) {
    if number.isNumberOrGap { return }
    throw wrong(number, at: index, of: name)
  }

  private static func wrong(_ value: Value, at index: Int, of name: String) -> TideError {
    TideError(
      .wrongType,
      "\(name).values are numbers, but element \(index + 1) is \(value.typeName) \(value.preview)")
  }

  /// The error of an invalid element that is drawn as a gap because it was added to the list later.
  /// Each is reported once.
  func takeInvalidNumber(of name: String) -> TideError? {
    for series in series {
      guard let invalid = series.invalid, invalid.value != reported else { continue }
      reported = invalid.value
      var error = Self.wrong(invalid.value, at: invalid.index, of: name)
      // The number may be in a series that was added as a whole.
      error.location =
        series.written.location(of: invalid.value) ?? written.location(of: invalid.value)
        ?? written.location(of: series.source)
      return error
    }
    return nil
  }

  private func reload(_ edits: [RowEdit]) {
    written.note(edits, of: outer)
    readSeries()
    changed()
  }

  private func readSeries() {
    guard let outer else { return }
    if outer.count == 0 || !outer.row(0).isSeries {
      series = [ChartSeries(outer)]
      return
    }
    let rows = (0..<min(outer.count, Self.limit)).map { outer.row($0) }
    if rows.elementsEqual(series.map(\.source)) { return }
    series = rows.map { ChartSeries($0, changed) }
  }

  /// The minimum and maximum of the numbers; nil if there are none.
  func range(of columns: Range<Int>? = nil) -> (least: Double, most: Double)? {
    var least = Double.infinity
    var most = -Double.infinity
    for series in series {
      for index in columns?.clamped(to: 0..<series.count) ?? 0..<series.count {
        let value = series[index]
        guard value.isFinite else { continue }
        least = min(least, value)
        most = max(most, value)
      }
    }
    return least <= most ? (least, most) : nil
  }

  /// The length of the longest series.
  var count: Int { series.map(\.count).max() ?? 0 }
}

/// The numbers of one line or of one colour of bars.
final class ChartSeries {
  /// The object or list of the series; null for the chart's own list.
  let source: Value
  private var numbers: ListFollowing?
  private var observers: [Slot] = []
  private weak var object: DataObject?
  /// An element that is not a number.
  private(set) var invalid: (value: Value, index: Int)?
  fileprivate var written = InvalidNumber()
  private var graph: Graph?

  /// Makes the series of the chart's own list.
  fileprivate init(_ numbers: ListFollowing) {
    source = .null
    self.numbers = numbers
  }

  fileprivate init(_ source: Value, _ changed: @escaping () -> Void) {
    self.source = source
    guard case .object(let object as DataObject) = source, !(object is any ListObject) else {
      numbers = follow(source, changed)
      return
    }
    self.object = object
    graph = object.graph
    follow(object, changed)
    for name in ["values", "title", "color"] {
      guard let index = object.shape.index(of: name) else { continue }
      let function = ObserverFunction { [unowned self] _, _ in
        if name == "values" { follow(object, changed) }
        changed()
      }
      observers.append(object.graph.makeObserver(of: object.slot(index), function))
    }
  }

  deinit {
    for observer in observers { graph?.dispose(observer) }
  }

  private func follow(_ object: DataObject, _ changed: @escaping () -> Void) {
    numbers = follow(object.graph.untracked { object["values"] }, changed)
  }

  private func follow(_ list: Value, _ changed: @escaping () -> Void) -> ListFollowing? {
    ListFollowing(list) { [unowned self] edits in
      written.note(edits, of: numbers)
      changed()
    }
  }

  var count: Int { numbers?.count ?? 0 }

  /// The number at an index, or NaN for any other element.
  subscript(index: Int) -> Double {
    guard let numbers, index >= 0, index < numbers.count else { return .nan }
    let value = numbers.row(index)
    switch value {
    case .number(let number): return number
    case .integer(let number): return Double(number)
    default: break
    }
    if let number = Double?.make(from: value).flatMap({ $0 }) { return number }
    if !value.isNumberOrGap { invalid = (value, index) }
    return .nan
  }

  var title: String {
    object.flatMap { object in object.graph.untracked { String.make(from: text("title")) } } ?? ""
  }

  /// Throws `badColor` for an invalid colour.
  func color() throws -> Color? {
    guard let object, let name = object.graph.untracked({ String.make(from: text("color")) }),
      !name.isEmpty
    else { return nil }
    return try Color(name)
  }

  private func text(_ name: String) -> Value {
    guard let object, object.shape.index(of: name) != nil else { return .null }
    return object[name]
  }
}

/// The last element written to a list of numbers that is not a number, and the line that wrote it.
private struct InvalidNumber {
  private var value = Value.null
  private var location: SourceLocation?

  mutating func note(_ edits: [RowEdit], of list: ListFollowing?) {
    guard let list, let found = list.firstElement(of: edits, where: { !$0.isNumberOrGap }) else {
      return
    }
    value = found.value
    location = BindingTable.of(list.rows.graph).hooks.currentLocation?()
  }

  func location(of value: Value) -> SourceLocation? {
    value != .null && value == self.value ? location : nil
  }
}

extension Value {
  fileprivate var isNumberOrGap: Bool {
    switch self {
    case .integer, .number: true
    default: isNil
    }
  }

  /// Whether it is a series rather than a number.
  fileprivate var isSeries: Bool {
    switch self {
    case .object(is any ListObject): true
    case .object(let object as DataObject): object.shape.index(of: "values") != nil
    default: false
    }
  }
}
