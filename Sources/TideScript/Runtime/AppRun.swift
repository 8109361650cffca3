import TideBindings
import TideGraph
import TideViews

/// An app that is run until it ends, with a renderer that shows it or without one, a step at a
/// time.
final class AppRun {
  private let runtime: Runtime
  private let display: Display?
  private var shown: Scene?
  private var course = AppLifecycle()

  init(_ runtime: Runtime, _ renderer: (any Renderer)?) {
    self.runtime = runtime
    display = renderer.map { Display(loop: runtime.loop, renderer: $0) }
    if let renderer { runtime.listen(to: renderer) }
  }

  /// Whether a step is to be made before this is asked again; false at the end.
  func needsStep() throws -> Bool {
    try runtime.graph.entered {
      if display != nil && shown == nil { try show() }
      let loop = runtime.loop
      let needsStep = course.needsStep(of: runtime, while: { display != nil || loop.hasWork })
      if needsStep, let display {
        if runtime.scene !== shown { try show() }
        try display.drawIfDue()
      }
      return needsStep
    }
  }

  private func show() throws {
    try display?.show(runtime.scene)
    shown = runtime.scene
  }

  func step(timeout: Double?) { runtime.turn(timeout: timeout) }

  /// Gives the medium back.
  func close() {
    runtime.graph.entered {
      course.leave(runtime)
      display?.close()
    }
  }
}
