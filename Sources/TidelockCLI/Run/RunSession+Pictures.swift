import TideBindings
import TideScript
import TideSystem
import TideViews

extension RunSession {
  /// Prints or writes the picture requested by `--snapshot` or `--snapshot-svg`.
  func takePicture(of runtime: Runtime, _ renderer: TextRenderer) {
    if ending != nil || runtime.exitCode != nil { return }
    guard let scene = runtime.scene else {
      reporter.report(
        TideError(.noView, "there is nothing to print: the script shows no view"))
      ending = .errorsListed
      return
    }
    if options.snapshotSVG != nil { write(svg(of: scene)) }
    if options.snapshot { printSnapshot(renderer) }
    if let mark = options.snapshotPreview { printPreview(of: scene, in: runtime, mark) }
  }

  private func svg(of scene: Scene) -> String {
    let title = scene.window.viewClass.inherits(from: "window") ? scene.window[.title] : ""
    return scene.frame.svg(title: title.isEmpty ? fileName : title)
  }

  /// Prints the picture, with the areas of views and the lines that made them, as one JSON object.
  private func printPreview(of scene: Scene, in runtime: Runtime, _ mark: String) {
    var object = JSONLine()
    object.add("svg", svg(of: scene))
    object.add(
      "views",
      scene.visibleViews.compactMap { view, rect -> JSONLine? in
        guard let place = runtime.bindings.placeOfMaking(of: view) else { return nil }
        let area = Frame.svgRect(of: rect, isTitled: true)
        var item = JSONLine()
        item.add("x", area.x)
        item.add("y", area.y)
        item.add("width", area.width)
        item.add("height", area.height)
        item.add("file", place.file)
        item.add("line", place.line)
        return item
      })
    output.writeLine(mark + object.text)
  }

  private var fileName: String {
    file.split(separator: "/").last.map(String.init) ?? file
  }

  private func write(_ text: String) {
    guard let picture else {
      for line in text.split(separator: "\n") { output.writeLine(String(line)) }
      return
    }
    let failure = picture.write(text)
    if failure == 0 { return }
    reporter.report(
      TideError(.output, "\(picture.path) cannot be written: \(String(cString: strerror(failure)))")
    )
    ending = .errorsListed
  }

  private func printSnapshot(_ renderer: TextRenderer) {
    guard options.json else {
      for line in renderer.text.split(separator: "\n", omittingEmptySubsequences: false) {
        output.writeLine(String(line))
      }
      return
    }
    var object = JSONLine()
    object.add("width", options.size.size.width)
    object.add("height", options.size.size.height)
    object.add("lines", renderer.lines)
    output.writeLine(object.text)
  }
}

extension TideError.Code {
  /// A snapshot was requested, but no view is shown.
  static let noView = Self("noView", 431)
}
