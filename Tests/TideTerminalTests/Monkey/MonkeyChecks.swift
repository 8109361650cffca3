import TideViews
import Tidelock
import VirtualTerminals

@testable import TideTerminal
@testable import TideViews

/// What must hold after each step of a monkey.
struct MonkeyChecks {
  let monkey: Monkey
  private var scene: Scene { monkey.scene }

  /// What a person can cause by typing nonsense into a field that is bound to a model.
  private static let codesOfInput: Set<TideError.Code> = [.conversion, .refused]

  init(monkey: Monkey) { self.monkey = monkey }

  func fault() -> String? {
    let unexpected = monkey.runtime.errors.first { !Self.codesOfInput.contains($0.code) }
    if let error = unexpected { return "listed: \(error)" }
    if scene.needsFrame { return "five frames were not enough" }
    return shownFault() ?? scene.brokenInvariants().first ?? freshFault()
  }

  /// The terminal shows the scene's frame, and what covers it.
  private func shownFault() -> String? {
    if let complaint = monkey.screen.complaints.first { return "the terminal: \(complaint)" }
    let renderer = monkey.renderer
    var composition = Composition()
    composition.overlay = renderer.overlay
    composition.isLogShown = renderer.isLogShown
    composition.status = renderer.status
    composition.hint = scene.hint
    let expected = composition.compose(
      scene.frame, areas: nil, size: monkey.screen.size, log: renderer.log.lines)
    if expected.frame.size != monkey.screen.size {
      return "a frame of \(expected.frame.size) in a terminal of \(monkey.screen.size)"
    }
    return firstDifference(expected.frame, monkey.screen, monkey.capabilities)
      .map { "the terminal shows \($0)" }
  }

  /// Drawing everything anew, and then finding every place anew, gives the same picture.
  private func freshFault() -> String? {
    let before = copy(scene.frame)
    scene.setNeedsFullRedraw()
    _ = scene.update()
    if let difference = difference(before) { return "drawn anew, \(difference)" }
    for view in TreeWalk(scene.window) where view.scene === scene {
      view.layout.flags.formUnion([.boxChanged, .lookChanged])
      view.layout.knownWidth = -1
      scene.layout.needsMeasure(view)
      scene.layout.needsArrange(view)
    }
    scene.setNeedsFullRedraw()
    _ = scene.update()
    return difference(before).map { "laid out anew, \($0)" }
  }

  private func copy(_ frame: Frame) -> Frame {
    let copy = Frame(size: frame.size, glyphs: frame.glyphs)
    copy.copy(Rect(frame.size), from: frame)
    copy.caret = frame.caret
    return copy
  }

  private func difference(_ before: Frame) -> String? {
    let now = scene.frame
    if before == now { return nil }
    if before.caret != now.caret {
      return
        "the caret is at \(String(describing: now.caret)), not \(String(describing: before.caret))"
    }
    for y in 0..<now.height {
      for x in 0..<now.width where before[x, y] != now[x, y] {
        let view = scene.view(at: Point(x: x, y: y))
        return """
          at \(x), \(y) (\(view.label), a \(view.viewClass.name)) there is \
          \(now.character(x: x, y: y)) \(now[x, y].style.attributes.rawValue), not \
          \(before.character(x: x, y: y)) \(before[x, y].style.attributes.rawValue)
            was: \(before.lines[y])
            is:  \(now.lines[y])
          """
      }
    }
    return "the sizes differ"
  }
}
