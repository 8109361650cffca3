extension View {
  /// What the view looks like, as text, without the spaces at the ends of lines.
  ///
  /// A view that is shown gives its part of the picture, after the changes so far. Any other, or
  /// one for which a size is given, is laid out by itself.
  public func snapshot(size: Size? = nil) -> String { snapshot(size: size) { _ in } }

  /// The same; a scene that is made only for the snapshot is configured by a function first.
  package func snapshot(size: Size?, preparing prepare: (Scene) -> Void) -> String {
    if let scene, size == nil {
      if scene.needsFrame { try? scene.commit() }
      return scene.frame.text(of: layout.visible)
    }
    if let scene { return pictureOfScene(scene, size: size ?? scene.size) }
    let scene = Scene(top: self, size: size ?? Size(width: 80, height: 24), isSilent: true)
    prepare(scene)
    _ = scene.update()
    return scene.frame.text
  }

  /// A shown window in another size: there and back again.
  private func pictureOfScene(_ scene: Scene, size: Size) -> String {
    let own = scene.size
    scene.resize(size)
    _ = scene.update()
    let text = scene.frame.text(of: layout.visible)
    scene.resize(own)
    return text
  }
}

extension Frame {
  /// The text in an area, without the spaces at the ends of lines and the empty lines at the end.
  public func text(of area: Rect) -> String {
    let part = Frame(size: area.size, glyphs: glyphs)
    for y in 0..<area.height {
      for x in 0..<area.width {
        let cell = self[area.x + x, area.y + y]
        if cell.width == 1 || (cell.width == 2 && x + 1 < area.width) {
          part.cells[y * area.width + x] = cell
          if cell.width == 2 {
            part.cells[y * area.width + x + 1] = self[area.x + x + 1, area.y + y]
          }
        }
      }
    }
    return part.text
  }
}
