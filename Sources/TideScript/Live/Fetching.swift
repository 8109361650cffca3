import Logging
public import TideBindings
import TideGraph
import TideLua
import TideSystem

/// Runs a script's function as a task, again and again. Only the latest run counts. Resources and
/// streams share it.
///
///     made ─▶ run ─┬▶ finished ─▶ every ─┐
///              ▲   └▶ failed ─▶ retry ───┤
///              └── refresh, what it read ┘
///
/// What the function reads before its first wait is recorded. When that changes, the task is
/// cancelled with everything that it has made, and a new run begins.
final class Fetching: EffectBody, LocatedBody {
  /// How often and for how long it runs.
  struct Plan {
    /// Seconds from the start of one run to the start of the next; nil for no periodic runs.
    var every: Double?
    /// Seconds that a run may take.
    var timeout: Double?
    /// How often a failed run is retried before the failure is reported, and the seconds before the
    /// first retry. The delay doubles with each further retry.
    var retries = 0
    var retryDelay = 1.0
    /// Whether a run may start. What it reads is recorded like the reads of the function.
    var condition: (() throws -> Bool)?
    /// Seconds that periodic runs go on without an observer; nil for no limit.
    var keep: Double?
  }

  /// Released at the end, since it may retain what shows the results.
  private var function: LuaFunction?
  private var plan: Plan
  private let owner: Home
  private let context: BindingContext
  /// Owns everything that the running task makes.
  private let inner: BindingContext
  /// Receives the results; nil after the end.
  private var client: (any FetchingClient)?
  /// Increased to start a run although nothing that the function has read has changed.
  private let trigger: Signal<Int>
  private var slot: Slot?
  /// Increased by every run and cancellation. Results of an earlier run are dropped.
  private var generation = 0
  /// What an earlier version of the module has read, until the first run.
  private var inherited: Past?
  private var isStopped = false
  private var isUnderWay = false
  /// Failures in a row, while a retry is scheduled.
  private var failures = 0
  private var isRetrying = false
  private var beganAt = -Double.infinity
  private var timers = Timers()
  private var unobservedSince: Double?
  private let site: CallSite
  /// The viewer's stretch in which it last ran; see ``ViewerObject``.
  private var stretch: Int?

  private struct Timers {
    /// The next run, the timeout of the current run, and the periodic check for observers.
    var next, limit, keeper: LoopTimer?

    mutating func cancelRun() {
      next?.cancel()
      limit?.cancel()
      (next, limit) = (nil, nil)
    }
  }

  init(_ function: LuaFunction, _ plan: Plan, of client: any FetchingClient, in runtime: Runtime) {
    self.function = function
    self.plan = plan
    self.client = client
    owner = runtime.home
    context = runtime.context
    inner = BindingContext("fetch", kindOf: runtime.context)
    site = CallSite(in: runtime.context)
    trigger = runtime.graph.signal(0)
    definition = function.location.map { SourceLocation($0) }
  }

  let definition: SourceLocation?

  /// The state of a version that is being replaced.
  struct Past {
    /// The properties that it has read, and their objects, which it retains.
    fileprivate let read: [(slot: Slot, object: DataObject)]
    fileprivate let beganAt: Double
  }

  /// The state that the next version can continue with; nil while loading, or if the function has
  /// read objects that end with this version.
  var past: Past? {
    guard !isLoading, !isStopped, let slot, let runtime = owner.runtime else { return nil }
    var read: [(slot: Slot, object: DataObject)] = []
    var readsModels = false
    for source in runtime.graph.sources(of: slot) {
      guard let object = source.blockHeader?.block as? DataObject else { continue }
      if !(object is ValueList) {
        guard runtime.models.contains(object) else { return nil }
        readsModels = true
      }
      read.append((source, object))
    }
    // A list belongs to a model, or else the new version may make it again.
    if !readsModels, !read.isEmpty { return nil }
    return Past(read: read, beganAt: beganAt)
  }

  /// Starts the runs. They end with the context in which this was made.
  ///
  /// - Parameter past: the state of an earlier version. Its reads count as recorded, and nothing
  ///   runs before they change.
  func begin(after past: Past? = nil) {
    guard slot == nil, client != nil, let runtime = owner.runtime else { return }
    if let past {
      inherited = past
      beganAt = past.beganAt
    }
    _ = context.effect(self) { [weak self] in self?.end() }
    // The effect's own entry only prevents new runs.
    context.own(setEnabled: { [inner] in inner.isEnabled = $0 }) {}
    watchObservers(runtime)
    scheduleNext(runtime)
  }

  /// Whether a run is in progress or a retry is scheduled.
  var isLoading: Bool { isUnderWay || failures > 0 }

  // MARK: Running

  override func run(_ slot: Slot) throws {
    guard let client, let runtime = owner.runtime else { return }
    if runtime.skipsRun(of: slot, afterRunIn: stretch) { return }
    stretch = runtime.ending.viewer.stretch
    let readsItself = self.slot != nil && Self.reads(client, slot, in: runtime)
    self.slot = slot
    _ = trigger.value
    if let inherited {
      self.inherited = nil
      for (source, _) in inherited.read { runtime.graph.track(source) }
      return
    }
    if isStopped { return }
    if !isRetrying { failures = 0 }
    isRetrying = false
    abandon()
    if readsItself {
      isStopped = true
      client.fetchingPaused()
      throw TideError(
        .badArgument,
        "the function reads what it fetches, so it would run for ever; read that in "
          + "untracked(function() … end)", location: definition)
    }
    attempt(runtime, for: client)
  }

  private static func reads(
    _ client: any FetchingClient, _ slot: Slot, in runtime: Runtime
  ) -> Bool {
    let own = client.fetchingObject.header
    return runtime.graph.sources(of: slot).contains { $0.blockHeader == own }
  }

  private func attempt(_ runtime: Runtime, for client: any FetchingClient) {
    guard let function else { return }
    let number = generation
    do {
      guard try plan.condition?() ?? true else { return client.fetchingPaused() }
      beganAt = runtime.loop.now()
      isUnderWay = true
      client.fetchingBegan()
      limitTime(runtime)
      switch try runtime.begin(
        function, client.fetchingArguments(number), in: inner, isRecorded: true)
      {
      case .finished(let results): finish(.success(results), number)
      case .waiting(let task):
        if let result = task.result { return finish(result, number) }
        task.whenEnded { [weak self] in self?.finish($0, number) }
      }
    } catch {
      isUnderWay = true
      finish(.failure(error), number)
    }
  }

  private func finish(_ outcome: ScriptTask.Outcome, _ number: Int) {
    guard number == generation, isUnderWay, let client, let runtime = owner.runtime else { return }
    isUnderWay = false
    timers.limit?.cancel()
    do {
      let results = try outcome.get()
      try runtime.perform(batching: true) {
        try runtime.table.acting(as: Self.name(of: client, in: runtime)) {
          try runtime.graph.untracked { try client.fetchingSucceeded(results) }
        }
      }
      failures = 0
      site.succeed(in: runtime)
    } catch {
      fail(error, runtime, for: client)
    }
    scheduleNext(runtime)
  }

  /// The name that the causes of a value show.
  private static func name(of client: any FetchingClient, in runtime: Runtime) -> String {
    let object = client.fetchingObject
    return "the fetch of \(runtime.models.name(of: object) ?? object.label.withArticle)"
  }

  private func fail(_ error: any Error, _ runtime: Runtime, for client: any FetchingClient) {
    let error = TideError(script: error)
    if error.cause is ExitRequest { return }
    if failures < plan.retries {
      let wait = plan.retryDelay * Double(1 << min(failures, 20))
      failures += 1
      return run(after: wait, runtime)
    }
    failures = 0
    runtime.table.acting(as: Self.name(of: client, in: runtime)) {
      runtime.graph.batch { runtime.graph.untracked { client.fetchingFailed(error) } }
    }
    // A failure of the outside world is shown by the client; an error of the script is listed.
    guard error.code == .source || error.code == .timeout else {
      return site.fail(error, in: runtime)
    }
    site.succeed(in: runtime)
    runtime.configuration.logger?.info("\(error.message)")
  }

  private func limitTime(_ runtime: Runtime) {
    guard let seconds = plan.timeout else { return }
    timers.limit = runtime.loop.after(seconds) { [weak self] in
      guard let self, isUnderWay else { return }
      let error = TideError(
        .timeout, "this took longer than \(Value.number(seconds).text ?? "?") s, its timeout",
        location: definition)
      owner.runtime?.home.runWithinBudget { [self] in
        // Later results of the task are dropped.
        generation += 1
        inner.removeAll()
        finish(.failure(error), generation)
      }
    }
  }

  // MARK: Running again

  /// Starts a run now, even if nothing that was read has changed.
  func refresh() {
    isStopped = false
    isRetrying = false
    unobservedSince = nil
    inherited = nil
    if slot == nil { begin() } else { trigger.value &+= 1 }
  }

  /// Cancels the current run. The next one begins only with `refresh`.
  func stop() {
    isStopped = true
    failures = 0
    abandon()
    if let runtime = owner.runtime { site.succeed(in: runtime) }
    client?.fetchingPaused()
  }

  private func scheduleNext(_ runtime: Runtime) {
    guard let every = plan.every, !isUnderWay, !isStopped, client != nil, timers.next == nil else {
      return
    }
    run(after: max(0.001, beganAt + every - runtime.loop.now()), runtime)
  }

  private func run(after seconds: Double, _ runtime: Runtime) {
    timers.next?.cancel()
    timers.next = runtime.loop.after(seconds) { [weak self] in
      guard let self, let runtime = owner.runtime, !isStopped else { return }
      timers.next = nil
      // Nothing observes the results. The next observer resumes the runs.
      if failures == 0, isUnneeded(runtime) { return }
      isRetrying = failures > 0
      inherited = nil
      runtime.home.runWithinBudget { [self] in trigger.value &+= 1 }
    }
  }

  /// Cancels the running task, if any, and the scheduled run.
  private func abandon() {
    generation += 1
    isUnderWay = false
    timers.cancelRun()
    inner.removeAll()
  }

  private func end() {
    guard let client else { return }
    self.client = nil
    function = nil
    plan.condition = nil
    timers.keeper?.cancel()
    failures = 0
    abandon()
    if let runtime = owner.runtime { site.succeed(in: runtime) }
    client.fetchingPaused()
  }

  // MARK: Observers

  /// Checks periodically whether anything observes the results.
  private func watchObservers(_ runtime: Runtime) {
    guard let keep = plan.keep else { return }
    timers.keeper = runtime.loop.after(
      min(max(keep / 8, 0.05), 0.5), repeating: true, keepsRunning: false
    ) { [weak self] in
      guard let self, let client, let runtime = owner.runtime else { return }
      guard client.isObserved else {
        unobservedSince = unobservedSince ?? runtime.loop.now()
        return
      }
      let wasResting = isUnneeded(runtime)
      unobservedSince = nil
      if wasResting, !isStopped { runtime.home.runWithinBudget { [self] in refresh() } }
    }
  }

  private func isUnneeded(_ runtime: Runtime) -> Bool {
    guard let keep = plan.keep, let since = unobservedSince else { return false }
    return runtime.loop.now() - since >= keep
  }
}

/// Receives the results of a function that fetches.
protocol FetchingClient: AnyObject {
  /// The object that shows them.
  var fetchingObject: DataObject { get }
  var fetching: Fetching? { get }
  /// Whether anything depends on it.
  var isObserved: Bool { get }
  /// The arguments of the run with a number.
  func fetchingArguments(_ run: Int) throws -> [LuaValue]
  func fetchingBegan()
  func fetchingSucceeded(_ results: [LuaValue]) throws
  func fetchingFailed(_ error: TideError)
  /// Called when a run was cancelled or skipped.
  func fetchingPaused()
  /// Takes over the results of a client of an earlier version.
  func adopt(_ former: any FetchingClient)
}

extension TideError.Code {
  /// A file, a program or a server failed to deliver what a script asked for.
  public static let source = Self("source", 414)
  /// A wait of a script exceeded its timeout.
  public static let timeout = Self("timeout", 415)
}
