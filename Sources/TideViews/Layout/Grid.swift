import TideBindings
import TideGraph

/// Subviews in rows of a fixed number of columns; see `GridTrack` for the values of `columns`.
///
/// A column is as wide as its widest view, a row as high as its highest. Surplus space goes to
/// columns with a weight, and to columns and rows that contain a growing view.
struct Grid: Arrangement {
  var axis: Axis { .vertical }

  func naturalSize(of view: View) -> Size {
    let tracks = view.gridTracks
    var widths = [Int](repeating: 0, count: tracks.count)
    var height = 0
    var rowHeight = 0
    var count = 0
    for child in view.children where child.layout.isInFlow {
      let column = count % tracks.count
      if column == 0 && count > 0 {
        height += rowHeight
        rowHeight = 0
      }
      widths[column] = max(widths[column], child.outerSize.width)
      rowHeight = max(rowHeight, child.outerSize.height)
      count += 1
    }
    for (column, track) in tracks.enumerated() {
      if let width = track.width { widths[column] = width }
    }
    let rows = (count + tracks.count - 1) / tracks.count
    return Size(
      width: widths.reduce(0, +) + view.spacing * (tracks.count - 1),
      height: height + rowHeight + view.spacing * max(0, rows - 1))
  }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    let widths = columnWidths(of: view, in: width)
    for (index, child) in view.arranged.enumerated() {
      let room = widths[index % widths.count] - child.layout.box.margin.horizontal
      tell(
        child,
        child.width(in: max(0, room), view.alignment, whole: widths[index % widths.count]))
    }
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    let count = view.gridTracks.count
    var height = 0
    var rowHeight = 0
    var rows = 0
    for (index, child) in view.arranged.enumerated() {
      if index % count == 0 {
        height += rowHeight
        rowHeight = 0
        rows += 1
      }
      rowHeight = max(rowHeight, child.foundHeight + child.layout.box.margin.vertical)
    }
    return height + rowHeight + view.spacing * max(0, rows - 1)
  }

  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    var tracks = columnItems(of: view, in: content.width)
    let left =
      content.x
      - view.shift(
        of: &tracks, along: .horizontal, in: content.width, spacing: view.spacing,
        line: { [count = tracks.count] in $0 % count })
    let columns = tracks.map(\.size)
    let children = Array(view.arranged)
    let alignment = view.alignment
    var rows: [Distribution.Item] = []
    var widths: [Int] = []
    for (index, child) in children.enumerated() {
      if index % columns.count == 0 { rows.append(Distribution.Item(basis: 0)) }
      let box = child.layout.box
      let room = columns[index % columns.count] - box.margin.horizontal
      let width = child.width(
        in: max(0, room), alignment, whole: columns[index % columns.count],
        height: box.height)
      widths.append(width)
      let row = rows.count - 1
      let height = box.height ?? layout.height(of: child, width: width)
      rows[row].basis = max(rows[row].basis, height + box.margin.vertical)
      rows[row].grow = max(rows[row].grow, box.grow(along: .vertical))
      rows[row].shrinks = rows[row].grow > 0
    }
    Distribution.share(
      max(0, content.height - view.spacing * max(0, rows.count - 1)), among: &rows)
    var y = content.y
    y -= view.shift(
      of: &rows, along: .vertical, in: content.height, spacing: view.spacing,
      line: { $0 / columns.count })
    for (row, item) in rows.enumerated() {
      var x = left
      for (column, columnWidth) in columns.enumerated() {
        let index = row * columns.count + column
        guard index < children.count else { break }
        let child = children[index]
        let margin = child.layout.box.margin
        let across = max(0, columnWidth - margin.horizontal)
        let down = max(0, item.size - margin.vertical)
        let box = child.layout.box
        let stretched = alignment == .stretch && !box.hasHeight && box.relative?.aspect == nil
        let wanted =
          box.height(in: item.size) ?? layout.height(of: child, width: widths[index])
        let height = stretched ? down : min(down, wanted)
        layout.set(
          child,
          Rect(
            x: x + margin.left + child.offset(of: widths[index], in: across, alignment),
            y: y + margin.top, width: widths[index], height: height), in: content, of: view)
        x += columnWidth + view.spacing
      }
      y += item.size + view.spacing
    }
  }

  private func columnWidths(of view: View, in width: Int) -> [Int] {
    columnItems(of: view, in: width).map(\.size)
  }

  private func columnItems(of view: View, in width: Int) -> [Distribution.Item] {
    let tracks = view.gridTracks
    var items = tracks.map { track in
      Distribution.Item(
        basis: track.width ?? 0, grow: track.weight, shrinks: track.width == nil)
    }
    var growing = [Double](repeating: 0, count: tracks.count)
    for (index, child) in view.arranged.enumerated() {
      let column = index % tracks.count
      if tracks[column].width != nil { continue }
      // The width of a column with a weight does not depend on its content.
      if tracks[column].weight == 0 {
        items[column].basis = max(items[column].basis, child.outerSize.width)
        growing[column] = max(growing[column], child.layout.box.grow(along: .horizontal))
      }
      items[column].minimum = max(
        items[column].minimum, child.layout.box.minWidth + child.layout.box.margin.horizontal)
    }
    for column in tracks.indices {
      items[column].basis = max(items[column].basis, items[column].minimum)
      if tracks[column].width == nil && tracks[column].weight == 0 {
        items[column].grow = growing[column]
      }
    }
    Distribution.share(max(0, width - view.spacing * (tracks.count - 1)), among: &items)
    return items
  }
}

/// The description of one column of a grid.
///
/// `columns` is the number of columns, or a list: a number is a width in cells, `"auto"` fits the
/// content, `"*"` is one share of the remaining space and `"2*"` two shares.
struct GridTrack: Equatable {
  var width: Int?
  var weight = 0.0

  /// Parses a value of `columns`; nil if it is invalid.
  static func list(_ value: Value) -> [GridTrack]? {
    switch value {
    case .null: return Array(repeating: GridTrack(), count: 2)
    case .object(let list as any ListObject):
      let count = list.trackedCount
      guard count > 0, count <= limit else { return nil }
      var tracks: [GridTrack] = []
      for index in 0..<count {
        guard let track = list.trackedElement(at: index).flatMap({ one($0) }) else { return nil }
        tracks.append(track)
      }
      return tracks
    default:
      guard let number = Double?.make(from: value).flatMap({ $0 }), number >= 1,
        number <= Double(limit)
      else { return nil }
      return Array(repeating: GridTrack(), count: Int(number))
    }
  }

  /// The first invalid item of a list; nil if all are valid.
  static func firstWrong(in value: Value) -> (index: Int, item: Value)? {
    guard case .object(let list as any ListObject) = value else { return nil }
    for index in 1..<1 + min(list.trackedCount, limit) {
      let item = list.trackedElement(at: index - 1) ?? .null
      if one(item) == nil { return (index, item) }
    }
    return nil
  }

  private static func one(_ value: Value) -> GridTrack? {
    switch value {
    case .integer, .number:
      guard let number = Double?.make(from: value).flatMap({ $0 }), number >= 0 else { return nil }
      return BoxStyle.cells(number).map { GridTrack(width: $0) }
    case .string("auto"): return GridTrack()
    case .string(let text):
      guard text.hasSuffix("*") else { return nil }
      let weight = text.count == 1 ? 1 : Double(text.dropLast()) ?? 0
      return weight > 0 && weight <= 1e6 ? GridTrack(weight: weight) : nil
    default: return nil
    }
  }

  /// More columns than any screen can show.
  private static let limit = 10_000
}

extension View {
  fileprivate var gridTracks: [GridTrack] {
    GridTrack.list(peek(.columns, as: Value.self)) ?? [GridTrack()]
  }
}
