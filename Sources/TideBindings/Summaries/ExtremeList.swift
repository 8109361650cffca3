import TideGraph

/// `@min` and `@max`: the lowest or highest number or text that is read from the elements, ignoring
/// nil.
final class ExtremeList: FoldedList {
  private var heap: ExtremeHeap
  /// By row, the kind of its value.
  private var kinds: [Kind] = []
  private var texts = 0
  private var numbers = 0

  private enum Kind { case none, number, text }

  init(_ source: ValueList, _ reader: ElementReader) {
    heap = ExtremeHeap(greatest: reader.summary == .max)
    super.init(source, reader)
  }

  override func reset() {
    heap = ExtremeHeap(greatest: reader.summary == .max)
    kinds = []
    (texts, numbers) = (0, 0)
  }

  override func takeOut(_ row: RowOrder.Row) {
    heap.remove(row)
    note(.none, for: row)
  }

  override func put(_ row: RowOrder.Row) {
    let value = value(of: row)
    switch value {
    case .null: takeOut(row)
    case .string, .bytes:
      heap.put(value, for: row)
      note(.text, for: row)
    default:
      heap.put(value, for: row)
      note(.number, for: row)
    }
  }

  private func note(_ kind: Kind, for row: RowOrder.Row) {
    while kinds.count <= Int(row) { kinds.append(.none) }
    count(kinds[Int(row)], -1)
    kinds[Int(row)] = kind
    count(kind, 1)
  }

  private func count(_ kind: Kind, _ change: Int) {
    switch kind {
    case .none: break
    case .number: numbers += change
    case .text: texts += change
    }
  }

  override func summary() throws -> Value {
    if texts > 0 && numbers > 0 {
      throw reader.summary.mixed(numbers: numbers, texts: texts)
    }
    return heap.top() ?? .null
  }
}
