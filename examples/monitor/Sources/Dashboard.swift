import FoundationEssentials
import Glibc
import TideViews
import Tidelock

/// The monitor: a scripted app, and the machine whose models it shows.
///
/// ```swift
/// let dashboard = try Dashboard(app: script, source: .live)
/// try dashboard.runtime.load()
/// dashboard.step()
/// ```
final class Dashboard {
  let runtime: Runtime
  let machine: Machine
  private let source: any MachineSource

  /// Takes the first sample. The script is not read yet.
  init(
    app: URL, source: any MachineSource, configuration: Runtime.Configuration = .init()
  ) throws {
    self.source = source
    runtime = try Runtime(app: app, configuration: configuration)
    machine = Machine(units: source.units)
    step()
    try runtime.register("machine", machine)
  }

  /// Takes a sample, and brings everything that shows it up to date; false when there is none left.
  @discardableResult
  func step() -> Bool {
    guard let sample = source.sample() else { return false }
    machine.take(sample)
    return true
  }

  /// Steps once in so many seconds, as long as the app runs. After the last sample time stands
  /// still.
  func step(every seconds: Double) {
    runtime.loop.after(seconds, repeating: true) { [unowned self] in step() }
  }

  /// Steps through all that was recorded; a live machine is given a moment to do something in.
  func stepToEnd() {
    if source.isLive {
      usleep(500_000)
      step()
    } else {
      while step() {}
    }
  }

  /// The app as text, in a size of its own.
  func snapshot(size: Size) -> String {
    runtime.settle()
    return runtime.scene?.window.snapshot(size: size) ?? ""
  }

  /// The app as an SVG document, in a size of its own, after some keys were pressed.
  func picture(size: Size, keys: String = "") throws -> String {
    guard let scene = runtime.scene else { return "" }
    try scene.mount(TextRenderer(size: size))
    runtime.settle()
    try scene.commit()
    for key in try Key.sequence(keys) {
      scene.send(.key(key))
      runtime.settle()
      try scene.commit()
    }
    return scene.frame.svg(title: "monitor")
  }
}
