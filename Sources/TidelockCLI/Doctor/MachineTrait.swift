import TideScript

/// One property of the machine that matters to apps, with advice if it could be better.
struct MachineTrait {
  let name: String
  let value: String
  /// How to improve it; nil where it is fine.
  let advice: String?

  init(_ name: String, _ value: String, advice: String? = nil) {
    self.name = name
    self.value = value
    self.advice = advice
  }

  /// Text for people: a mark, the name in a column, the value, and any advice on the next line.
  func text(nameWidth: Int, isColored: Bool) -> String {
    let mark = advice == nil ? "✓" : "!"
    let color = advice == nil ? "32" : "33"
    let shown = isColored ? "\u{1b}[\(color)m\(mark)\u{1b}[0m" : mark
    let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
    let line = "\(shown) \(name)\(padding)  \(value)"
    guard let advice else { return line }
    return line + "\n" + String(repeating: " ", count: nameWidth + 4) + advice
  }

  var json: String {
    var object = JSONLine()
    object.add("name", name)
    object.add("value", value)
    object.add("ok", advice == nil)
    if let advice { object.add("advice", advice) }
    return object.text
  }
}
