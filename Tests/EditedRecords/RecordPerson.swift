package import TideScript
package import TideViews

/// A person who changes records in an app, by what a renderer gives: the keys of a terminal, the
/// controls of a page.
package protocol RecordPerson: AnyObject {
  /// Where the person's focus is, as far as the app knows.
  var focused: View? { get }
  /// Whether a text that is being typed keeps its record where something else is selected, for the
  /// person who types it.
  var keepsTypedRecord: Bool { get }
  /// Whether something can be typed in a text: not where its record is gone, before it is focused anew.
  func canType(in field: TextInputView) -> Bool
  /// Whether the renderer shows a view so that a person can use it.
  func reaches(_ view: View) -> Bool
  /// Goes to a control without changing anything by it.
  func focus(_ view: View) throws
  /// Types at the end of a text.
  func type(_ text: String, in field: TextInputView) throws
  func stepUp(_ stepper: StepperView) throws
  /// Presses a switch.
  func press(_ toggle: View) throws
  /// Presses a key where the focus is.
  func press(key: String) throws
  /// Clicks at a point of the frame; false where there is none.
  func click(at point: Point) throws -> Bool
  /// Lets all that is under way arrive, and shows it.
  func settle() throws
}

extension RecordPerson {
  package var keepsTypedRecord: Bool { false }

  package func canType(in field: TextInputView) -> Bool { true }
}

/// A person at a keyboard, before any renderer that shows frames.
package final class KeyboardPerson: RecordPerson {
  private let runtime: Runtime
  private let scene: Scene

  package init(_ runtime: Runtime, _ scene: Scene, _ renderer: any Renderer) throws {
    self.runtime = runtime
    self.scene = scene
    try scene.mount(renderer)
  }

  package var focused: View? { scene.focused }

  package func reaches(_ view: View) -> Bool { scene.isReachable(view) }

  package func focus(_ view: View) throws { scene.focus(view) }

  package func type(_ text: String, in field: TextInputView) throws {
    try press(key: "End")
    for character in text { scene.send(.key(Key(.character(character)))) }
  }

  package func stepUp(_ stepper: StepperView) throws { try press(key: "Up") }

  package func press(_ toggle: View) throws { try press(key: "Space") }

  package func press(key: String) throws { try scene.send(keys: key) }

  package func click(at point: Point) throws -> Bool {
    for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
      scene.send(.mouse(MouseEvent(kind, at: point)))
    }
    return true
  }

  package func settle() throws {
    runtime.settle()
    try scene.commit()
    runtime.settle()
  }
}

/// A person with controls of their own in place of cells, as in a page, without its connection.
package final class ControlsPerson: RecordPerson {
  private let keyboard: KeyboardPerson
  private let scene: Scene

  package init(_ runtime: Runtime, _ scene: Scene, _ renderer: any Renderer) throws {
    self.scene = scene
    keyboard = try KeyboardPerson(runtime, scene, renderer)
  }

  package var focused: View? { scene.focused }

  package func reaches(_ view: View) -> Bool { scene.isReachable(view) }

  package func focus(_ view: View) throws { scene.focusByHand(view) }

  package func type(_ text: String, in field: TextInputView) throws {
    let all = field.text + text
    scene.perform(.edit(text: all, selection: all.count..<all.count), on: field)
  }

  package func stepUp(_ stepper: StepperView) throws {
    scene.perform(.setValue(stepper.value + 1), on: stepper)
  }

  package func press(_ toggle: View) throws { scene.perform(.press, on: toggle) }

  package func press(key: String) throws { try keyboard.press(key: key) }

  package func click(at point: Point) throws -> Bool { try keyboard.click(at: point) }

  package func settle() throws { try keyboard.settle() }
}
