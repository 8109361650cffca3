import TideBindings
import TideGraph

/// What a chart's `values` hold, followed as long as it is kept: the numbers of one series, or
/// several lists of numbers, or several objects with `values`, `title` and `color`.
final class ChartContent {
  private(set) var series: [ChartSeries] = []
  private var outer: ListFollowing?
  private let changed: () -> Void
  /// More could be told apart by nobody.
  private static let limit = 32

  init?(_ value: Value, _ changed: @escaping () -> Void) {
    self.changed = changed
    guard let outer = ListFollowing(value, { [unowned self] _ in reload() }) else { return nil }
    self.outer = outer
    readSeries()
  }

  private func reload() {
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

  /// The least and the greatest of the numbers; nil when there are none.
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

  /// How many numbers the longest series has.
  var count: Int { series.map(\.count).max() ?? 0 }
}

/// The numbers of one line, or of one colour of bars.
final class ChartSeries {
  /// The object or list that it was read from; null for that of the chart itself.
  let source: Value
  private var numbers: ListFollowing?
  private var observers: [Slot] = []
  private weak var object: DataObject?
  private var graph: Graph?

  /// Those of the chart's own list.
  fileprivate init(_ numbers: ListFollowing) {
    source = .null
    self.numbers = numbers
  }

  fileprivate init(_ source: Value, _ changed: @escaping () -> Void) {
    self.source = source
    guard case .object(let object as DataObject) = source, !(object is any ListObject) else {
      numbers = ListFollowing(source) { _ in changed() }
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
    numbers = ListFollowing(object.graph.untracked { object["values"] }) { _ in changed() }
  }

  var count: Int { numbers?.count ?? 0 }

  /// A number, or NaN for what is none.
  subscript(index: Int) -> Double {
    guard let numbers, index >= 0, index < numbers.count else { return .nan }
    return Double?.make(from: numbers.row(index)).flatMap { $0 } ?? .nan
  }

  var title: String {
    object.flatMap { object in object.graph.untracked { String.make(from: text("title")) } } ?? ""
  }

  /// Throws `badColor`.
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

extension Value {
  /// Whether it stands for a series of its own, not for a number.
  fileprivate var isSeries: Bool {
    switch self {
    case .object(is any ListObject): true
    case .object(let object as DataObject): object.shape.index(of: "values") != nil
    default: false
    }
  }
}
