import TideBindings
package import TideGraph
import TideSystem

/// Shows a picture from a PNG file; each cell shows two pixels, one above the other.
///
/// ```lua
/// view.image { source = "logo.png", width = 24 }
/// ```
///
/// `source` is a path relative to the app's folder. The picture keeps its aspect ratio and is
/// scaled to fit the view; without an explicit size the view is as large as the picture, up to 40
/// cells wide. Without colours, the picture is drawn in shades. If the picture cannot be read, the
/// view shows the message in `error` instead.
public final class ImageView: View {
  private var shownSource: String?
  private var picture: PixelPicture?
  private static let widest = 40

  package override func addHeld(to meter: inout MemoryMeter) {
    meter.add(picture?.byteCount ?? 0)
  }

  override func stateChanged() {
    let source = peek(.source, as: String?.self)
    if source == shownSource { return }
    shownSource = source
    picture = nil
    setNeedsLayout()
    guard let source, !source.isEmpty else { return put(.error, .null) }
    do {
      picture = try scene?.picture(source)
      put(.error, .null)
    } catch {
      let error = TideError(wrapping: error, graph: graph, code: .badImage)
      put(.error, .string(error.message))
      report(error)
    }
  }

  /// One column for each pixel, up to 40, and half as many rows as the aspect ratio requires,
  /// because cells are twice as high as wide; 10 by 1 cells without a picture.
  package override func naturalSize() -> Size {
    guard let picture else { return Size(width: 10, height: 1) }
    let width = min(Self.widest, picture.size.width)
    return Size(width: width, height: height(of: picture, width: width))
  }

  /// True if there is a picture, since its height depends on the width.
  public override var wraps: Bool { picture != nil }

  /// The height for the picture's aspect ratio.
  package override func naturalHeight(forWidth width: Int) -> Int {
    guard let picture else { return 1 }
    return height(
      of: picture,
      width: min(width, peek(.width, as: Double?.self) == nil ? picture.size.width : width))
  }

  private func height(of picture: PixelPicture, width: Int) -> Int {
    guard picture.size.width > 0 else { return 1 }
    let rows = Double(width * picture.size.height) / Double(picture.size.width) / 2
    return max(1, Int(rows.rounded(.up)))
  }

  override func describe(_ description: inout ViewDescription) {
    if picture != nil { description.source = shownSource }
  }

  package override func draw(in canvas: Canvas) {
    guard let picture, !canvas.content.isEmpty else {
      let message = peek(.error, as: String?.self) ?? ""
      let shown = TextLines.truncated(
        message, width: canvas.content.width, ellipsis: canvas.symbols.ellipsis)
      canvas.write(shown, x: canvas.content.x, y: canvas.content.y, within: canvas.content)
      return
    }
    let area = fitted(picture.size, in: canvas.content)
    let shown = canvas.shown(area)
    for y in shown.rows {
      for x in shown.columns {
        let (column, row) = (x - area.x, y - area.y)
        let top = mean(of: picture, column, row * 2, area)
        let bottom = mean(of: picture, column, row * 2 + 1, area)
        draw(top, bottom, x: x, y: y, canvas)
      }
    }
  }

  /// The largest centred area with a picture's aspect ratio.
  private func fitted(_ picture: Size, in area: Rect) -> Rect {
    guard picture.width > 0, picture.height > 0 else {
      return Rect(x: area.x, y: area.y, width: 0, height: 0)
    }
    let scale = min(
      Double(area.width) / Double(picture.width), Double(area.height * 2) / Double(picture.height))
    let width = max(1, min(area.width, Int((Double(picture.width) * scale).rounded())))
    let height = max(1, min(area.height, Int((Double(picture.height) * scale / 2).rounded(.up))))
    return Rect(
      x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width,
      height: height)
  }

  private func mean(
    of picture: PixelPicture, _ column: Int, _ row: Int, _ area: Rect
  ) -> PixelPicture.Mean {
    let left = column * picture.size.width / area.width
    let right = max(left + 1, (column + 1) * picture.size.width / area.width)
    let top = row * picture.size.height / (area.height * 2)
    let bottom = max(top + 1, (row + 1) * picture.size.height / (area.height * 2))
    return picture.average(of: Rect(x: left, y: top, width: right - left, height: bottom - top))
  }

  /// Draws two pixels as a half block. With colours, either half may be the foreground; without
  /// colours, the lighter half must be.
  private func draw(
    _ top: PixelPicture.Mean, _ bottom: PixelPicture.Mean, x: Int, y: Int, _ canvas: Canvas
  ) {
    let seen = [top, bottom].filter { $0.alpha >= 0.5 }
    if seen.isEmpty { return }
    guard canvas.symbols.isUnicode else {
      let light = (top.brightness + bottom.brightness) / 2
      let ramp = canvas.symbols.shades
      let shade = ramp[min(ramp.count - 1, Int(light * Double(ramp.count)))]
      return canvas.put(shade, x: x, y: y, style: canvas.style.with(foreground: seen[0].color))
    }
    let isTopLight = top.brightness >= bottom.brightness
    var style = canvas.style.with(foreground: (isTopLight ? top : bottom).color)
    let other = isTopLight ? bottom : top
    if other.alpha >= 0.5 { style.background = other.color }
    let isEven = abs(top.brightness - bottom.brightness) < 0.1 && seen.count == 2
    if isEven && other.brightness >= 0.5 { return canvas.put("█", x: x, y: y, style: style) }
    if isEven && top == bottom { return canvas.put(" ", x: x, y: y, style: style) }
    canvas.put(isTopLight ? "▀" : "▄", x: x, y: y, style: style)
  }
}

extension Scene {
  /// Loads a picture by the scene's host, or, without one, from the path itself.
  func picture(_ source: String) throws -> PixelPicture {
    try PixelPicture(png: pictureFile(source))
  }

  /// The bytes of a picture file.
  package func pictureFile(_ source: String) throws -> [UInt8] {
    try host.readImage.map { try $0(source) } ?? Self.bytes(of: source)
  }

  private static func bytes(of path: String) throws(TideError) -> [UInt8] {
    // Opened without blocking: it may be a pipe without a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0, let file = fdopen(descriptor, "r") else {
      defer { if descriptor >= 0 { close(descriptor) } }
      throw TideError(.badImage, "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&room, 1, room.count, file), count > 0 {
      bytes += room[..<count]
      if bytes.count > 1 << 26 { throw TideError(.badImage, "\(path) has more than 64 MiB") }
    }
    return bytes
  }
}
