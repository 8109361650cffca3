import TideGraph
import TideSystem
import TideViews

// Exports a flame graph, and a file for speedscope (https://www.speedscope.app). The flame graph is
// Brendan Gregg's idea: a bar's width is its time, and nested calls are stacked on top of it.

extension ProfileReport {
  /// A flame graph as a standalone SVG picture. A bar shows its numbers under the pointer.
  package var flameGraph: String {
    let tree = Tree(self)
    let width = 1200.0, rowHeight = 18.0, margin = 10.0
    let height = Double(tree.depth + 2) * rowHeight + 2 * margin
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
      width="\(Int(width))" font-family="monospace" font-size="11">
      <rect width="100%" height="100%" fill="#fff"/>
      <text x="\(margin)" y="\(margin + 10)">\(title.escapedForXML): \(Self.time(tree.seconds)) busy of \
      \(Self.time(seconds))</text>
      """
    ]
    let scale = tree.seconds > 0 ? (width - 2 * margin) / tree.seconds : 0
    for bar in tree.bars where bar.seconds * scale >= 0.3 {
      let x = margin + bar.start * scale, length = bar.seconds * scale
      let y = height - margin - Double(bar.depth + 1) * rowHeight
      let name = bar.name.described
      let room = Int((length - 6) / 6.7)
      let label = room < 3 ? "" : name.count > room ? "\(name.prefix(room - 1))…" : name
      parts.append(
        """
        <g><title>\(name.escapedForXML)
        \(bar.runs) runs, \(Self.time(bar.seconds)), of that \(Self.time(bar.ownSeconds)) for itself</title>\
        <rect x="\(Self.point(x))" y="\(Self.point(y))" width="\(Self.point(max(length - 0.5, 0.3)))" \
        height="\(Int(rowHeight) - 1)" rx="1" fill="\(Self.color(of: bar.name.kind))"/>\
        <text x="\(Self.point(x + 3))" y="\(Self.point(y + 13))">\(label.escapedForXML)</text></g>
        """)
    }
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static func point(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

  private static func color(of kind: Profile.Name.Kind) -> String {
    switch kind {
    case .binding: "#f4b183"
    case .path: "#f9d9c3"
    case .computed: "#ffd966"
    case .effect: "#f19c9c"
    case .observer: "#e8a5d0"
    case .transformer: "#f8cb9c"
    case .handler: "#9dc3e6"
    case .view: "#a9d18e"
    case .module: "#c9c9c9"
    case .frame: "#b4c7e7"
    }
  }

  /// A profile in speedscope's format: each path through the tree with its own time.
  package var speedscope: String {
    var numbers: [Profile.Name: Int] = [:]
    var frames: [JSONLine] = []
    func number(of name: Profile.Name) -> Int {
      if let known = numbers[name] { return known }
      var frame = JSONLine()
      frame.add("name", name.described)
      let place = name.location.lastIndex(of: ":")
      if let place, let line = Int(name.location[name.location.index(after: place)...]) {
        frame.add("file", String(name.location[..<place]))
        frame.add("line", line)
      }
      numbers[name] = frames.count
      frames.append(frame)
      return frames.count - 1
    }
    var samples: [String] = [], weights: [String] = []
    for (index, node) in nodes.enumerated() where ownSeconds[index] > 0 {
      let way =
        ancestors(of: index).reversed().map { number(of: nodes[$0].name) } + [number(of: node.name)]
      samples.append("[" + way.map { "\($0)" }.joined(separator: ",") + "]")
      weights.append("\(Int((ownSeconds[index] * 1e9).rounded()))")
    }
    let total = ownSeconds.reduce(0, +) * 1e9
    return """
      {"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"tidelock",\
      "name":\(title.quotedForJSON),"activeProfileIndex":0,\
      "shared":{"frames":[\(frames.map(\.text).joined(separator: ","))]},\
      "profiles":[{"type":"sampled","name":\(title.quotedForJSON),"unit":"nanoseconds",\
      "startValue":0,"endValue":\(Int(total.rounded())),\
      "samples":[\(samples.joined(separator: ","))],"weights":[\(weights.joined(separator: ","))]}]}

      """
  }

  /// The bars of a flame graph: one for each distinct path.
  private struct Tree {
    struct Bar {
      let name: Profile.Name
      let depth: Int
      let start: Double
      let seconds: Double
      let ownSeconds: Double
      let runs: Int
    }

    var bars: [Bar] = []
    var seconds = 0.0
    var depth = 0

    init(_ report: ProfileReport) {
      var children: [Int: [Int]] = [:]
      for (index, node) in report.nodes.enumerated() {
        children[node.parent ?? -1, default: []].append(index)
      }
      var waiting = [(parent: -1, depth: 0, start: 0.0)]
      while let (parent, level, begin) = waiting.popLast() {
        var start = begin
        let inner = (children[parent] ?? []).sorted {
          report.nodes[$0].seconds > report.nodes[$1].seconds
        }
        for index in inner {
          let node = report.nodes[index]
          bars.append(
            Bar(
              name: node.name, depth: level, start: start, seconds: node.seconds,
              ownSeconds: report.ownSeconds[index], runs: node.runs))
          depth = max(depth, level + 1)
          waiting.append((index, level + 1, start))
          start += node.seconds
        }
        if parent == -1 { seconds = start }
      }
    }
  }
}
