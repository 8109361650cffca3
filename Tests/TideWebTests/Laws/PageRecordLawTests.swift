import EditedRecords
import Testing
import TideBindings
import TideRun
import TideScript

@testable import TideViews
@testable import TideWeb

/// The law of edited records for who uses an app in a page.
@Suite struct PageRecordLawTests {
  private let search = RecordSearch("records") { runtime, scene, _ in
    try PagePerson(runtime, scene)
  }

  @Test func `every case that was found before holds`() {
    #expect(search.knownFault == nil)
  }

  @Test func `holds for random people and programs`() {
    #expect(search.firstFault(stepsInSuite: 8) == nil)
  }
}

/// A person at a page, which the app reaches through a connection.
private final class PagePerson: RecordPerson {
  private let runtime: Runtime
  private let scene: Scene
  private let renderer = WebRenderer(isDeveloping: true, PagePictures())
  private let loop: AppLoop
  private let page = LawPage()

  init(_ runtime: Runtime, _ scene: Scene) throws {
    self.runtime = runtime
    self.scene = scene
    loop = AppLoop(runtime, renderer)
    try loop.catchUp()
    page.connect(try LawLine(1, session: page.session, renderer, runtime))
    try settle()
  }

  deinit { loop.close() }

  /// What the app was told, once all has arrived.
  var focused: View? { scene.focused }

  var keepsTypedRecord: Bool { true }

  func reaches(_ view: View) -> Bool {
    guard scene.isReachable(view), let id = renderer.tree.id(of: view) else { return false }
    return page.mirror.canFocus(id)
  }

  /// What is typed on where a record was lost goes into none, and is told.
  func canType(in field: TextInputView) -> Bool {
    let viewer = renderer.viewers.values.first { $0.session == page.session }
    guard let lost = viewer?.lost, lost.isGone else { return true }
    return renderer.tree.id(of: field) != lost.view
  }

  private func number(of view: View) throws -> Int {
    guard let id = renderer.tree.id(of: view) else {
      throw PageMirror.Broken(description: "the page does not show \(view.viewClass.name)")
    }
    return id
  }

  func focus(_ view: View) throws { page.focus(try number(of: view)) }

  func type(_ text: String, in field: TextInputView) throws {
    let id = try number(of: field)
    page.type(page.text(of: id) + text, in: id)
  }

  func stepUp(_ stepper: StepperView) throws {
    page.act("value", try number(of: stepper), ",\(Int(stepper.value) + 1)")
  }

  func press(_ toggle: View) throws { page.act("press", try number(of: toggle)) }

  func press(key: String) throws { page.press(key) }

  func click(at point: Point) throws -> Bool { false }

  func settle() throws {
    for _ in 0..<50 {
      try page.line?.deliver()
      runtime.turn(timeout: 0)
      try loop.catchUp()
      renderer.finishTurn()
      try page.receive()
      if page.isSettled, page.line?.isBusy == false, !scene.needsFrame { return }
    }
    throw PageMirror.Broken(description: "it does not come to rest: \(page.waitsFor)")
  }
}
