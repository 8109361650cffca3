extension View {
  /// The view's picture as text, without trailing spaces.
  ///
  /// For a view in a scene it is the view's part of the frame, after pending changes. Any other
  /// view, or one with an explicit size, is laid out by itself.
  public func snapshot(size: Size? = nil) -> String { snapshot(size: size) { _ in } }

  /// Like `snapshot(size:)`; a scene that is made for the snapshot is passed to a function first.
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

  /// Lays out a visible scene in another size, and restores its size afterwards.
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
  /// The text in an area, without trailing spaces and without empty lines at the end.
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
