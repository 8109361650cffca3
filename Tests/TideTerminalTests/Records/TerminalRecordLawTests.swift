import EditedRecords
import Foundation
import Glibc
import Testing
import Tidelock

@testable import TideTerminal
@testable import TideViews

extension TerminalSuites {
  /// The law of edited records for who types into a terminal.
  @Suite struct TerminalRecordLawTests {
    private let search = RecordSearch("records") { runtime, scene, _ in
      try TerminalPerson(runtime, scene)
    }

    @Test func `every case that was found before holds`() {
      #expect(search.knownFault == nil)
    }

    @Test func `holds for random people and programs`() {
      #expect(search.firstFault(stepsInSuite: 8) == nil)
    }
  }
}

/// A person whose keys come as bytes through a pseudo-terminal, to which the app is drawn.
private final class TerminalPerson: RecordPerson {
  private let runtime: Runtime
  private let scene: Scene
  private let terminal: PseudoTerminal
  private let reader: TerminalReader
  private let renderer: TerminalRenderer

  init(_ runtime: Runtime, _ scene: Scene) throws {
    self.runtime = runtime
    self.scene = scene
    terminal = try PseudoTerminal()
    reader = TerminalReader(terminal)
    renderer = TerminalRenderer(
      input: terminal.slave, output: terminal.slave,
      capabilities: TerminalCapabilities(colors: .ansi8), handlesSignals: false,
      capturesOutput: false)
    renderer.timeOfTurn = .infinity
    try scene.mount(renderer)
  }

  deinit { scene.unmount() }

  var focused: View? { scene.focused }

  func reaches(_ view: View) -> Bool { scene.isReachable(view) }

  func focus(_ view: View) throws { scene.focus(view) }

  func type(_ text: String, in field: TextInputView) throws {
    try press(key: "End")
    send(text)
  }

  func stepUp(_ stepper: StepperView) throws { try press(key: "Up") }

  func press(_ toggle: View) throws { try press(key: "Space") }

  func press(key: String) throws {
    let sequences = [
      "Tab": "\t", "Shift-Tab": "\u{1B}[Z", "Up": "\u{1B}[A", "Down": "\u{1B}[B", "End": "\u{1B}[F",
      "Space": " ",
    ]
    guard let sequence = sequences[key] else { return try scene.send(keys: key) }
    send(sequence)
  }

  func click(at point: Point) throws -> Bool {
    for end in ["M", "m"] { send("\u{1B}[<0;\(point.x + 1);\(point.y + 1)\(end)") }
    return true
  }

  private func send(_ text: String) { terminal.hand(Array(text.utf8), to: renderer) }

  func settle() throws {
    runtime.settle()
    for _ in 0..<5 where scene.needsFrame {
      try scene.commit()
      runtime.settle()
    }
    guard reader.output() != nil else {
      throw TideError(.unknownView, "the terminal took no more")
    }
  }
}
