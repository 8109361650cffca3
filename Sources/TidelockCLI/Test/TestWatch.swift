import TideBindings
import TideReload
import TideScript
import TideSystem
import TideTest

/// `tidelock test --watch`: runs all specs, and then again and again those that a saved file
/// reaches.
///
/// A spec is reached by its own file and by what it loaded when it last ran.
final class TestWatch {
  private var options: TestOptions
  private let teller: TestMessages
  private let trail = FileTrail()
  private let loop: EventLoop
  private let saves: SaveWatcher
  private let folders: FolderChanges
  private var known: Set<String> = []
  /// Whether the last run went well.
  private var isGood = true
  private var isOver = false

  init(_ options: TestOptions) throws {
    self.options = options
    teller = TestMessages(options)
    self.options.trail = trail
    loop = try EventLoop()
    saves = SaveWatcher(loop)
    folders = FolderChanges(loop)
  }

  /// Watches until `q` is pressed; the status is that of the last run.
  func run() throws -> ExitStatus {
    let keys = TestKeys(loop)
    keys?.onKey = { [unowned self] in press($0) }
    saves.onSave = { [unowned self] in runReached(by: $0) }
    saves.onNotice = { [teller] in teller.complain($0.message) }
    folders.onChange = { [unowned self] in findNew() }
    runAll()
    withExtendedLifetime(keys) {
      while !isOver { loop.turn() }
    }
    return isGood ? .success : .errorsListed
  }

  private func press(_ key: UInt8) {
    switch key {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): runAll()
    // Ctrl-D leaves, too.
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: isOver = true
    default: break
    }
  }

  // MARK: Runs

  private func runAll() {
    run(options.roots, "all specs")
  }

  private func runReached(by files: [String]) {
    // Those that are gone since have left their trail behind.
    let specs = trail.specs(reachedBy: Set(files)).intersection(known)
      .union(known.intersection(files))
    if !specs.isEmpty { run(specs.sorted(), "saved: \(files.joined(separator: ", "))") }
  }

  private func findNew() {
    guard let found = try? SuiteRun.find(options) else { return }
    let new = found.files.filter { !known.contains($0) }
    if new.isEmpty { return look(found, since: nil) }
    run(new, "new: \(new.joined(separator: ", "))")
  }

  private func run(_ roots: [String], _ why: String) {
    let start = SaveTime.now
    teller.progress("── \(why) ── \(DayTime.now)")
    var options = options
    options.roots = roots
    do { isGood = try TestPass(options).run() } catch {
      isGood = false
      teller.complain((error as? TestSetupError)?.message ?? "\(error)")
    }
    if let found = try? SuiteRun.find(self.options) { look(found, since: start) }
    let files = known.count == 1 ? "1 spec file" : "\(known.count) spec files"
    let keys = StandardStreams.areTerminal ? "; Enter runs all, q ends" : ""
    teller.progress("watching \(files)\(keys)")
  }

  /// Watches what may be saved next.
  private func look(_ found: (files: [String], folders: [String]), since start: SaveTime?) {
    known = Set(found.files)
    var files = known.union(trail.files)
    if let helper = options.helper, helper.hasSuffix(".lua") { files.insert(helper) }
    saves.watch(files.sorted(), readSince: start)
    folders.watch(found.folders)
  }
}
