import TideBindings
import TideReload
import TideScript
import TideSystem
import TideTest

/// `tidelock test --watch`: runs all specs, and then the specs affected by each saved file.
///
/// A spec is affected by changes to its own file and to the files it loaded when it last ran. Runs
/// have a separate thread, so that keys work meanwhile.
final class TestWatch {
  private let options: TestOptions
  private let output: ReportOutput
  private let failures: LastFailures?
  private let teller: TestMessages
  private let trail = FileTrail()
  private let loop: EventLoop
  private let saves: SaveWatcher
  private let folders: FolderChanges
  private var known: Set<String> = []
  /// The user's filters: Lua patterns of test names and of file paths.
  private var namePattern: String?
  private var filePattern: String?
  private var prompt: (line: KeyPrompt, onEntered: (String) -> Void)?
  /// The current run, and the events that arrived meanwhile.
  private var running: RunStop?
  private var next: Run?
  private var savedFiles: [String] = []
  private var hasNewFiles = false
  /// Whether the last completed run succeeded.
  private var isGood = true
  private var isLeaving = false
  private var isOver = false

  /// A run to be started.
  private struct Run {
    var roots: [String]
    var why: String
    var change: (inout TestOptions) -> Void = { _ in }
  }

  init(_ options: TestOptions, _ output: ReportOutput, _ failures: LastFailures?) throws {
    var options = options
    options.trail = trail
    self.options = options
    self.output = output
    self.failures = failures
    teller = TestMessages(options, output)
    loop = try EventLoop()
    saves = SaveWatcher(loop)
    folders = FolderChanges(loop)
  }

  /// Watches until `q` is pressed. Returns the status of the last completed run.
  func run() throws -> ExitStatus {
    let keys = TestKeys(loop)
    keys?.onKey = { [unowned self] in press($0) }
    saves.onSave = { [unowned self] in runReached(by: $0) }
    saves.onNotice = { [teller] in teller.complain($0.message) }
    folders.onChange = { [unowned self] in findNew() }
    start(Run(roots: options.roots, why: "all specs"))
    withExtendedLifetime(keys) {
      while !isOver { loop.turn() }
    }
    return isGood ? .success : .errorsListed
  }

  // MARK: Keys

  private static let help = """
    Enter  run again: all, or what the patterns leave
    a      run all, without patterns
    f      run what failed last
    p      run the spec files whose paths match a Lua pattern
    t      run the tests whose names match a Lua pattern
    c      run with coverage
    ?      show these keys
    q      stop the run, and end
    """

  private func press(_ key: UInt8) {
    if prompt != nil { return type(key) }
    switch key {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): runChosen()
    case UInt8(ascii: "a"):
      (namePattern, filePattern) = (nil, nil)
      runChosen()
    case UInt8(ascii: "f"): runChosen("what failed last, of ") { $0.runsOnlyFailed = true }
    case UInt8(ascii: "c"): runChosen("with coverage: ") { $0.measuresCoverage = true }
    case UInt8(ascii: "p"):
      ask("files (a Lua pattern, nothing for all): ") { [unowned self] in filePattern = $0 }
    case UInt8(ascii: "t"):
      ask("tests (a Lua pattern, nothing for all): ") { [unowned self] in namePattern = $0 }
    case UInt8(ascii: "?"), UInt8(ascii: "h"): teller.progress(Self.help)
    // Ctrl-D also quits.
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: leave()
    default: break
    }
  }

  private func type(_ key: UInt8) {
    guard var line = prompt?.line, let onEntered = prompt?.onEntered else { return }
    let (outcome, echo) = line.take(key)
    teller.echo(echo)
    switch outcome {
    case .open: prompt = (line, onEntered)
    case .cancelled: prompt = nil
    case .entered(let text):
      prompt = nil
      onEntered(text)
    }
  }

  /// Prompts for a pattern, which stops the current run, and runs the matching tests.
  private func ask(_ question: String, _ set: @escaping (String?) -> Void) {
    stop()
    teller.echo("\n" + question)
    prompt = (
      KeyPrompt(),
      { [unowned self] text in
        // An invalid pattern keeps the previous one.
        do { _ = try SuiteRun.files([""], matching: text) } catch { return complain(error) }
        set(text.isEmpty ? nil : text)
        runChosen()
      }
    )
  }

  // MARK: Selected tests

  /// Runs the tests that match the patterns, replacing the current run.
  private func runChosen(
    _ what: String = "", _ change: @escaping (inout TestOptions) -> Void = { _ in }
  ) {
    var roots = options.roots
    var names: [String] = []
    if let filePattern {
      names.append("files with \(filePattern)")
      do {
        roots = try SuiteRun.files(SuiteRun.find(options).files, matching: filePattern)
      } catch {
        // Some invalid patterns are detected only with a path. Discarded, so that the next key does
        // not fail as well.
        self.filePattern = nil
        return complain(error)
      }
      if roots.isEmpty {
        return teller.progress("no spec file has a path that matches \(filePattern)")
      }
    }
    if let namePattern { names.append("tests with \(namePattern)") }
    let why = what + (names.isEmpty ? "all specs" : names.joined(separator: ", "))
    start(Run(roots: roots, why: why, change: change))
  }

  private func runReached(by files: [String]) {
    if running != nil { return savedFiles += files }
    // Specs that no longer exist may still have recorded files.
    let specs = trail.specs(reachedBy: Set(files)).intersection(known)
      .union(known.intersection(files))
    if !specs.isEmpty {
      start(Run(roots: specs.sorted(), why: "saved: \(files.joined(separator: ", "))"))
    }
  }

  private func findNew() {
    if running != nil { return hasNewFiles = true }
    guard let found = try? SuiteRun.find(options) else { return }
    let new = found.files.filter { !known.contains($0) }
    if new.isEmpty { return look(found, since: nil) }
    start(Run(roots: new, why: "new: \(new.joined(separator: ", "))"))
  }

  // MARK: Runs

  /// Starts a run, after stopping the current one.
  private func start(_ run: Run) {
    if running != nil {
      next = run
      return stop()
    }
    teller.progress("── \(run.why) ── \(DayTime.now)")
    let stop = RunStop()
    var options = options
    options.roots = run.roots
    if let namePattern { options.filters = [namePattern] }
    run.change(&options)
    options.stop = stop
    running = stop
    let pass = TestPass(options: options, output: output, failures: failures)
    let end = End(self, since: SaveTime.now)
    let work: @Sendable () -> Void = { [inbox = loop.inbox] in
      let result = Result { try pass.run() }
      inbox.post { end.take(result) }
    }
    if let thread = SystemThread(work) { thread.detach() } else { work() }
  }

  /// Passes the result of a run to the loop's thread.
  // Unchecked, because only the loop's thread accesses it.
  private final class End: @unchecked Sendable {
    private weak var watch: TestWatch?
    private let start: SaveTime

    init(_ watch: TestWatch, since start: SaveTime) {
      self.watch = watch
      self.start = start
    }

    func take(_ result: Result<Bool, any Error>) { watch?.finish(result, since: start) }
  }

  private func finish(_ result: Result<Bool, any Error>, since start: SaveTime) {
    let isStopped = running?.isRequested == true
    running = nil
    if isLeaving {
      isOver = true
      return
    }
    do {
      let isGood = try result.get()
      if !isStopped { self.isGood = isGood }
    } catch {
      isGood = false
      complain(error)
    }
    if let found = try? SuiteRun.find(options) { look(found, since: start) }
    if let next {
      self.next = nil
      return self.start(next)
    }
    if prompt == nil { teller.progress(invitation) }
    let saved = savedFiles
    savedFiles = []
    if !saved.isEmpty { runReached(by: saved) }
    if hasNewFiles && running == nil {
      hasNewFiles = false
      findNew()
    }
  }

  private func complain(_ error: any Error) {
    teller.complain((error as? TestSetupError)?.message ?? "\(error)")
  }

  private var invitation: String {
    let files = known.count == 1 ? "1 spec file" : "\(known.count) spec files"
    let what = namePattern == nil && filePattern == nil ? "all" : "what the patterns leave"
    let keys = StandardStreams.areTerminal ? "; Enter runs \(what), q ends, ? lists the keys" : ""
    return "watching \(files)\(keys)"
  }

  /// Asks the current run to stop, repeatedly, because an interrupt between turns is lost.
  private func stop() {
    guard let running else { return }
    running.request()
    loop.after(Self.pause) { [weak self, weak running] in
      if let self, let running, running === self.running { stop() }
    }
  }

  /// Ends the program, even if a run does not stop, for example while a spec waits for a program.
  private func leave() {
    isLeaving = true
    guard running != nil else { return isOver = true }
    stop()
    loop.after(Self.longestStop) { [weak self] in self?.isOver = true }
  }

  private static let pause = 0.01
  private static let longestStop = 0.2

  /// Watches the files that may be saved next.
  private func look(_ found: (files: [String], folders: [String]), since start: SaveTime?) {
    known = Set(found.files)
    var files = known.union(trail.files)
    if let helper = options.helper, helper.hasSuffix(".lua") { files.insert(helper) }
    saves.watch(files.sorted(), readSince: start)
    folders.watch(found.folders)
  }
}
