import TestFolders
import TideBindings
import TideReload
import TideRun
import TideScript

@testable import TideViews
@testable import TideWeb

/// An app with pages whose lines are slow and get lost, turned by hand.
///
/// ```swift
/// let stage = try LawStage("show(view.field {})")
/// let page = try stage.open()
/// try stage.settle()    // all that was under way has arrived
/// ```
final class LawStage {
  let runtime: Runtime
  let renderer: WebRenderer
  private(set) var pages: [LawPage] = []
  /// What was done, the latest last.
  var log: [String] = []
  private let folder: ScratchFolder
  private let loop: AppLoop
  /// Lines whose end the app has not noticed yet.
  private var lostLines: [LawLine] = []
  private var lines = 0

  /// - Parameter isDeveloping: whether pages show what is for developers.
  init(
    _ script: String, isDeveloping: Bool = true,
    adjust: (inout Runtime.Configuration) -> Void = { _ in }
  ) throws {
    folder = try ScratchFolder()
    folder.write(script, to: "app.lua")
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.print = { _ in }
    adjust(&configuration)
    runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    renderer = WebRenderer(isDeveloping: isDeveloping, PagePictures())
    renderer.follow(runtime)
    loop = AppLoop(runtime, renderer)
    try runtime.load()
    try loop.catchUp()
  }

  func close() { loop.close() }

  var latest: String { log.suffix(40).joined(separator: ", ") }

  var scene: Scene {
    get throws {
      guard let scene = runtime.scene else {
        throw PageMirror.Broken(description: "the app shows nothing")
      }
      return scene
    }
  }

  // MARK: Lines

  /// - Parameter person: who opens the page; nil if that is unknown.
  @discardableResult
  func open(as person: String? = nil) throws -> LawPage {
    let page = LawPage(person)
    pages.append(page)
    try connect(page)
    return page
  }

  func connect(_ page: LawPage) throws {
    lines += 1
    page.connect(try LawLine(lines, session: page.session, of: page.person, renderer, runtime))
    log.append("connects")
    try turn()
  }

  /// Cuts a page off when so many of its events have come.
  ///
  /// - Parameter isNoticed: whether the app notices it at once, or when the page may be there again.
  func lose(_ page: LawPage, deliveredBefore count: Int, isNoticed: Bool) throws {
    guard let line = page.line else { return }
    log.append("is cut off")
    try line.deliver(count)
    page.disconnect()
    if isNoticed { line.close() } else { lostLines.append(line) }
    try turn()
  }

  // MARK: The app

  func turn(draws: Bool = true) throws {
    runtime.turn(timeout: 0)
    if draws { try loop.catchUp() }
    renderer.finishTurn()
  }

  /// Saves another version; a failure is thrown, and shows no more when a later one is put in place.
  func reload(_ script: String) throws {
    folder.write(script, to: "app.lua")
    renderer.report(try runtime.reload().line)
    renderer.showFailure(nil)
  }

  /// Lets all that is on its way arrive.
  func settle() throws {
    for line in lostLines { line.close() }
    lostLines = []
    for page in pages where page.line == nil { try connect(page) }
    for _ in 0..<50 {
      for page in pages { try page.line?.deliver() }
      try turn()
      for page in pages { try page.receive() }
      if pages.allSatisfy({ $0.isSettled && $0.line?.isBusy == false }), try !scene.needsFrame {
        return
      }
    }
    let still = pages.enumerated().map { index, page in
      "page \(index): \(page.waitsFor), \(page.line?.onItsWay ?? "no line")"
    }
    throw PageMirror.Broken(
      description: "it does not come to rest: " + still.joined(separator: "; ")
    )
  }

  /// What a page has that comes now.
  func freshPage() throws -> PageMirror {
    let page = LawPage()
    try connect(page)
    try page.receive()
    page.line?.close()
    try turn()
    return page.mirror
  }
}
