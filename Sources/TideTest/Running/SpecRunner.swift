import TideBindings
import TideLua
import TideScript

/// Runs spec files in one runtime, one after another, and reports events.
///
/// A block's function first declares its contents, then its hooks and tests run. They are isolated:
/// if one is stopped or exhausts the memory, this is reported and the next one runs.
final class SpecRunner: SpecRuntime.Listener {
  let specs: SpecRuntime
  let options: TestOptions
  let report: (SpecEvent) -> Void
  /// The block whose function is running.
  private var declaring: SpecElement?
  private var root: SpecElement
  private(set) var lastID: Int
  private var randomizes: (isOn: Bool, seed: Int?)?
  /// The problem of a function that the loop called during a test.
  var noted: SpecProblem?
  /// Whether a failure has ended the run, with `--failfast`.
  var hasFailedFast = false
  /// Whether no more tests run.
  var isStopped: Bool { hasFailedFast || isInterrupted }
  /// Whether the run was stopped from outside.
  var isInterrupted: Bool { options.stop?.isRequested == true }
  /// Events of a test that may be retried; nil if events are reported immediately.
  var heldEvents: [SpecEvent]?
  /// The running file.
  private(set) var file: String?
  /// The running test, from its first hook to its last.
  private(set) var running: SpecElement?
  /// The current position in the file: the indexes of the running element and of its enclosing
  /// blocks among their siblings, outermost first.
  var position: [Int] = []
  /// The position at which the interpreter was closed to stop a function; empty in the file's own
  /// body or hooks. Later elements can run in a new interpreter.
  var closedAt: [Int]?
  /// The position after which the file is resumed; empty to start from the beginning.
  var resumption: [Int] = []
  private let start = Seconds.monotonic
  private var hasBegun = false
  /// Whether the hooks before the first file succeeded.
  private var isReady = false
  /// Whether a subscriber has exceeded its time; then no subscriber is called any more.
  private var hasOverrun = false
  /// Whether subscribers are being called.
  private var isTelling = false
  private let seed: Int
  /// Whether a test of the file did not run to its end, so that its use of snapshots is incomplete.
  var hasSkipped = false

  /// - Parameters:
  ///   - firstID: the first identifier of its nodes.
  ///   - seed: the seed for shuffling tests.
  init(
    _ options: TestOptions, file: String, wantsTraces: Bool, firstID: Int, seed: Int,
    emit: @escaping (SpecEvent) -> Void
  ) throws {
    self.options = options
    report = emit
    self.seed = seed
    lastID = firstID
    specs = try SpecRuntime(options, file: file, wantsTraces: wantsTraces, seed: seed)
    root = SpecElement(firstID, "suite", named: nil, nil, in: nil)
    root.scope = specs.rootScope
    root.context = specs.runtime.context
    if options.shufflesFiles { root.seed = seed }
    specs.listener = self
    specs.runtime.onError = { [unowned self] in note($0) }
    try specs.runPreludes()
  }

  /// Reports an event: to the report first, then to subscribers in Lua.
  private func emit(_ event: SpecEvent) {
    if options.listsOnly, event.isStep { return }
    var event = event
    if case .problem(let node, var problem) = event {
      if problem.status != .pending { problem.source = specs.sourceLine(of: problem) }
      event = .problem(node, specs.quota == nil ? problem : problem.kept)
    }
    if heldEvents == nil { report(event) } else { heldEvents?.append(event) }
    tell(event)
  }

  /// Sends an event to subscribers in Lua.
  private func tell(_ event: SpecEvent) {
    guard let bridge = specs.bridge, !isTelling, !hasOverrun, !options.listsOnly, isOpen
    else { return }
    isTelling = true
    defer { isTelling = false }
    do { try bridge.take(event) } catch {
      let problem = SpecProblem(error, limit: options.secondsOfTurn)
      report(.problem(root.node(), specs.quota == nil ? problem : problem.kept))
      // A subscriber that ran out of time would do so again with each event.
      if (error as? LuaError)?.kind == .time { hasOverrun = true }
    }
  }

  // MARK: Files

  /// Runs the hooks of a helper before the first file.
  private func begin() {
    hasBegun = true
    tell(
      .suiteStart(SuiteStart(number: 1, total: 1, seed: nil, time: Seconds.sinceEpoch)))
    isReady = runAll("strict_setup", of: root)
  }

  /// Runs the hooks after the last file.
  func finish() {
    if root.isSetUp != nil { runAll("lazy_teardown", of: root) }
    runAll("strict_teardown", of: root)
    tell(.suiteEnd(duration: Seconds.monotonic - start))
    tell(.exit)
  }

  /// Runs a file, or its part after a position. Restores globals and modules at the end.
  func run(_ file: SpecFile, after finished: [Int] = []) {
    self.file = file.name
    resumption = finished
    specs.project = ProjectFolder(ofSpec: file.name)
    if specs.quota != nil { specs.quota = SpecQuota() }
    specs.snapshots = SnapshotBook(ofSpec: file.name, within: options.bounds)
    hasSkipped = !finished.isEmpty
    if !hasBegun { begin() }
    guard isReady, !isStopped else { return }
    lastID += 1
    defer { options.trail?.set(specs.allLoadedFiles, of: file.name) }
    do {
      let chunk = try specs.load(file)
      let element = SpecElement(
        lastID, "file", named: file.name, chunk,
        mode: options.insulatesFiles ? .insulate : nil, in: root)
      let start = begin(element)
      if finished.isEmpty { emit(.fileStart(element.node())) }
      runBlock(element)
      if !isToBeResumed {
        emit(.fileEnd(element.node(duration: Seconds.monotonic - start)))
      }
      keepSnapshots(element)
    } catch {
      let node = SpecNode(
        id: lastID, descriptor: "file", name: file.name, fullName: file.name)
      report(SpecProblem(file.name, error), in: node)
    }
  }

  /// Writes the file's snapshots with `-u`, and reports unused ones.
  private func keepSnapshots(_ file: SpecElement) {
    guard let book = specs.snapshots, !options.listsOnly else { return }
    let isWhole =
      !options.isFiltering && !options.runsOnlyFailed && options.lines.isEmpty && !hasSkipped
      && !isStopped
    if options.updatesSnapshots {
      do {
        if let done = try book.save(removesObsolete: isWhole) { report(.notice(done)) }
      } catch {
        report(.error((error as? TestSetupError)?.message ?? "\(error)"), in: file.node())
      }
    } else if isWhole, !book.obsolete.isEmpty {
      let names = book.obsolete.map { "\n  \($0)" }.joined()
      report(
        .notice("\(book.file) has snapshots that no test asks for; -u removes them:\(names)"))
    }
  }

  // MARK: Blocks

  private func begin(_ element: SpecElement) -> Double {
    element.start = Seconds.sinceEpoch
    return Seconds.monotonic
  }

  private func runDescribe(_ block: SpecElement) {
    let start = begin(block)
    emit(.blockStart(block.node()))
    runBlock(block)
    emit(.blockEnd(block.node(duration: Seconds.monotonic - start)))
  }

  private func runBlock(_ block: SpecElement) {
    let name = block.descriptor == "file" ? "" : block.fullName
    do {
      if block.mode == .insulate { block.saved = try specs.save() }
      block.scope = try specs.makeScope(
        in: block.parent?.scope, path: name, exposes: block.mode == .expose)
    } catch { return report(SpecProblem(block.name ?? "", error), in: block.node()) }
    let context = BindingContext(
      block.name, in: specs.runtime.bindings, parent: block.parent?.context)
    block.context = context
    if block.descriptor == "file" { specs.fileContext = context }
    specs.beginPart()
    runContents(of: block)
    end(context, in: block.node())
    end(block)
  }

  /// Ends the bindings and apps of a block or test, and restores the runtime.
  private func end(_ context: BindingContext, in node: SpecNode) {
    context.removeAll()
    guard isOpen else { return }
    do { try specs.endPart() } catch { report(SpecProblem(node.name ?? "", error), in: node) }
  }

  private func end(_ block: SpecElement) {
    do {
      guard isOpen else { return }
      if block.mode == .expose, let around = block.parent, around.saved != nil {
        around.saved = try specs.save()
      }
      if let saved = block.saved { try specs.restore(saved) }
    } catch {
      report(SpecProblem(block.name ?? "", error), in: block.node())
    }
    block.saved = nil
    block.scope = nil
  }

  private func runContents(of block: SpecElement) {
    declaring = block
    randomizes = nil
    let problem = call("runBlock", block.function, in: block, block.context)
    declaring = nil
    if let problem { return report(problem, in: block.node()) }
    choose(in: block)
    order(block)
    preferFailed(in: block)
    if runAll("strict_setup", of: block) {
      runChildren(of: block)
    }
    if block.isSetUp != nil { runAll("lazy_teardown", of: block) }
    runAll("strict_teardown", of: block)
  }

  func run(_ child: SpecElement) {
    switch child.descriptor {
    case "describe": runDescribe(child)
    case "pending": runPending(child)
    case "it": runTest(child)
    default: break
    }
  }

  /// Removes children that are not on the selected lines. A line between the tests of a block
  /// selects all of them.
  private func choose(in block: SpecElement) {
    guard let lines = file.flatMap({ options.lines[$0] }) else { return }
    let children = block.children.filter { !$0.isHook }
    let isWithin: (Int) -> Bool = { block.descriptor == "file" || block.contains(line: $0) }
    let isBetween = lines.contains { line in
      isWithin(line) && !children.contains { $0.contains(line: line) }
    }
    if block.isChosen || isBetween {
      for child in children { child.isChosen = true }
      return
    }
    block.children.removeAll { child in
      !child.isHook && !lines.contains { child.contains(line: $0) }
    }
  }

  /// Sorts or shuffles a block's children. Hooks are included, as in busted, so that a seed gives
  /// the same order.
  private func order(_ block: SpecElement) {
    do {
      if options.sortsTests {
        let order = try specs.sorted(block.children.map(\.name))
        block.children = order.map { block.children[$0] }
      } else if randomizes?.isOn ?? options.shufflesTests {
        let seed = randomizes?.seed ?? seed
        let order = try specs.shuffled(block.children.count, by: seed)
        block.children = order.map { block.children[$0] }
        block.seed = seed
      }
    } catch {
      report(SpecProblem(error, limit: options.secondsOfTurn), in: block.node())
    }
  }

  // MARK: Tests

  private func runPending(_ element: SpecElement) {
    if options.listsOnly { return list(element, .pending) }
    hasSkipped = true
    let start = begin(element)
    emit(.testStart(element.node()))
    emit(.testEnd(element.node(duration: Seconds.monotonic - start), .pending))
  }

  private func list(_ element: SpecElement, _ status: SpecStatus) {
    if status == .pending && options.suppressesPending { return }
    emit(.listed(element.node()))
  }

  private func runTest(_ element: SpecElement) {
    if options.listsOnly { return list(element, .success) }
    guard let block = element.parent, setUpLazily(block) else { return }
    tryAgain(element) { runTest(element, in: block) }
  }

  private func runTest(_ element: SpecElement, in block: SpecElement) {
    running = element
    defer { running = nil }
    let context = BindingContext(
      element.name, in: specs.runtime.bindings, parent: block.context)
    specs.beginPart()
    specs.listed = []
    specs.testName = element.fullName
    specs.testNumber += 1
    specs.runtime.beginTest()
    specs.recording?.begin(showing: specs.screen.frame)
    let (isReady, reached) = runBefore(block, context)
    if isReady { runBody(element, in: block, context) }
    var next: SpecElement? = reached
    while let around = next {
      runAll("after_each", of: around, context)
      next = around.parent
    }
    end(context, in: element.node())
  }

  private func runBody(_ element: SpecElement, in block: SpecElement, _ context: BindingContext) {
    var status = SpecStatus.success
    let start = begin(element)
    emit(.testStart(element.node()))
    if let problem = call("runTest", element.function, in: block, context) {
      status.add(problem.status)
      keepArtifacts(of: problem)
      emit(.problem(element.node(), problem))
    }
    if (try? specs.words["hasFinally"]?.call([]).first?.boolean) == true,
      let problem = call("runFinally", nil, in: block, context)
    {
      // Only the test itself can fail; a failure around it is reported as an error.
      status.add(outside(problem).status)
      keepArtifacts(of: problem)
      emit(.problem(element.node(), outside(problem)))
    }
    if status != .success { hasSkipped = true }
    emit(.testEnd(element.node(duration: Seconds.monotonic - start), status))
    if status == .failure || status == .error { stopIfAsked() }
  }

  /// Whether the test may run, and the innermost block whose hooks have run.
  private func runBefore(
    _ block: SpecElement, _ context: BindingContext
  ) -> (Bool, SpecElement) {
    if let parent = block.parent {
      let (isReady, reached) = runBefore(parent, context)
      if !isReady { return (false, reached) }
    }
    return (runAll("before_each", of: block, context), block)
  }

  private func setUpLazily(_ block: SpecElement) -> Bool {
    if let parent = block.parent, !setUpLazily(parent) { return false }
    if let known = block.isSetUp { return known }
    let isGood = runAll("lazy_setup", of: block)
    block.isSetUp = isGood
    return isGood
  }

  /// Runs all hooks of a kind, even after one fails. Returns whether all succeeded.
  @discardableResult
  private func runAll(
    _ descriptor: String, of block: SpecElement, _ context: BindingContext? = nil
  ) -> Bool {
    var isGood = isOpen
    for hook in block.hooks[descriptor] ?? [] where isOpen {
      hook.start = Seconds.sinceEpoch
      guard let problem = call("runHook", hook.function, in: block, context ?? block.context)
      else { continue }
      isGood = false
      var node = hook.node()
      // Busted's reports do not name the test.
      if context != nil {
        node.test = specs.testName
        keepArtifacts(of: problem)
        node.artifacts = running?.artifacts ?? []
      }
      report(outside(problem), in: node)
    }
    return isGood
  }

  private func outside(_ problem: SpecProblem) -> SpecProblem {
    guard problem.status == .failure else { return problem }
    return SpecProblem(status: .error, message: problem.message, trace: problem.trace)
  }

  private func report(_ problem: SpecProblem, in node: SpecNode) {
    hasSkipped = true
    emit(.problem(node, problem.status == .failure ? outside(problem) : problem))
    stopIfAsked()
  }

  private func stopIfAsked() {
    if !options.keepsGoing { hasFailedFast = true }
  }

  // MARK: Calls from the spec functions

  func declare(_ declaration: SpecRuntime.Declaration) {
    let block = declaring ?? root
    lastID += 1
    let element = SpecElement(
      lastID, declaration.descriptor, named: declaration.name, declaration.function,
      mode: declaration.mode, trace: declaration.trace, in: block)
    element.lastLine = declaration.lastLine
    block.children.append(element)
    if element.isHook { block.hooks[declaration.descriptor, default: []].append(element) }
  }

  func randomize(_ isOn: Bool, _ seed: Int?) { randomizes = (isOn, seed) }

  func write(_ bytes: [UInt8]) { emit(.output(bytes)) }
}
