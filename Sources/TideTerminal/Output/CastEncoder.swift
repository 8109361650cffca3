import TideSystem
package import TideViews

/// Encodes frames as a recording of a terminal in the format asciicast v2, which asciinema plays.
///
/// ```swift
/// var cast = CastEncoder()
/// var text = cast.header(size: frame.size, title: "todo")
/// text += cast.lines(frame, at: 0)
/// frame.write("!", at: .zero)
/// text += cast.lines(frame, at: 0.5)   // [0.5,"o","\u001b[H!"]
/// ```
///
/// Each frame is one line with the cells that have changed. A frame of another size is preceded by
/// a line that resizes the terminal.
package struct CastEncoder {
  private var encoder = FrameEncoder(capabilities: .full)
  private var size: Size?

  package init() {}

  /// The first line, for a terminal of the given size.
  package mutating func header(size: Size, title: String) -> String {
    self.size = size
    var object = JSONLine()
    object.add("version", 2)
    object.add("width", size.width)
    object.add("height", size.height)
    if !title.isEmpty { object.add("title", title) }
    return object.text + "\n"
  }

  /// The lines that show a frame; empty if nothing has changed.
  ///
  /// - Parameters:
  ///   - areas: the areas that may differ from the frame before; nil compares everything.
  ///   - seconds: the time since the beginning.
  package mutating func lines(
    _ frame: Frame, areas: [Rect]? = nil, at seconds: Double
  ) -> String {
    var text = ""
    if size != frame.size {
      size = frame.size
      text = Self.line("r", "\(frame.width)x\(frame.height)", at: seconds)
    }
    let bytes = encoder.encode(frame, areas: areas)
    if bytes.isEmpty { return text }
    return text + Self.line("o", String(decoding: bytes, as: UTF8.self), at: seconds)
  }

  /// A line that marks a moment with a name; players stop there when asked to.
  package static func mark(_ name: String, at seconds: Double) -> String {
    line("m", name, at: seconds)
  }

  private static func line(_ kind: String, _ text: String, at seconds: Double) -> String {
    // In microseconds, so that sums of seconds are short.
    let time = (max(0, seconds) * 1e6).rounded() / 1e6
    return "[\(time),\"\(kind)\",\(text.quotedForJSON)]\n"
  }
}
