import Logging
public import TideBindings
import TideGraph
import TideLua
import TideSystem

/// Runs a script's function as a task, again and again, of which the latest alone counts: what a
/// resource and a stream have in common.
///
///     made ─▶ run ─┬▶ finished ─▶ every ─┐
///              ▲   └▶ failed ─▶ retry ───┤
///              └── refresh, what it read ┘
///
/// What the function reads before its first wait is recorded; when that changes the task is
/// cancelled with all that it has made, and begins anew.
final class Fetching: EffectBody, LocatedBody {
  /// How often and for how long it runs.
  struct Plan {
    /// Seconds from the beginning of one run to the next; nil for none by itself.
    var every: Double?
    /// Seconds that a run may take.
    var timeout: Double?
    /// How often a run that failed is tried again before that counts, and the seconds before the
    /// first of these; each further one waits twice as long.
    var retries = 0
    var retryDelay = 1.0
    /// Whether it may run; recorded as what the function reads is.
    var condition: (() throws -> Bool)?
    /// For how many seconds it goes on while nothing observes it; nil for any time.
    var keep: Double?
  }

  /// Until it ends, because it may hold what shows the results.
  private var function: LuaFunction?
  private var plan: Plan
  private let owner: Home
  private let context: BindingContext
  /// What the running task has made.
  private let inner: BindingContext
  /// Who gets the results, until it ends.
  private var client: (any FetchingClient)?
  /// Grows to have it run although nothing that it read has changed.
  private let trigger: Signal<Int>
  private var slot: Slot?
  /// Grows with every run, and when one is abandoned: what comes of an earlier one is dropped.
  private var generation = 0
  /// What an earlier version has read, until the first run.
  private var inherited: Past?
  private var isStopped = false
  private var isUnderWay = false
  /// How often it has failed in a row, while it may be tried again.
  private var failures = 0
  private var isRetrying = false
  private var beganAt = -Double.infinity
  private var timers = Timers()
  private var unobservedSince: Double?
  private let site: CallSite
  /// In which stretch of another person than the last to act it has run.
  private var stretch: Int?

  private struct Timers {
    /// The next run, the end of the time of this one, and the looks for observers.
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

  /// What a version has come to that ends.
  struct Past {
    /// The properties that it has read, and their objects, which keep them.
    fileprivate let read: [(slot: Slot, object: DataObject)]
    fileprivate let beganAt: Double
  }

  /// What another version can go on with; nil while it is loading, and where it has read of
  /// something that ends with it.
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
    // A list is a model's, or else it may be one that the new version makes anew.
    if !readsModels, !read.isEmpty { return nil }
    return Past(read: read, beganAt: beganAt)
  }

  /// Begins; ends with the context in which it was made.
  ///
  /// - Parameter past: of an earlier version with whose result it goes on: what that one has read
  ///   counts as read, and nothing is run before it changes.
  func begin(after past: Past? = nil) {
    guard slot == nil, client != nil, let runtime = owner.runtime else { return }
    if let past {
      inherited = past
      beganAt = past.beganAt
    }
    _ = context.effect(self) { [weak self] in self?.end() }
    // The effect's entry holds back new runs alone.
    context.own(setEnabled: { [inner] in inner.isEnabled = $0 }) {}
    watchObservers(runtime)
    scheduleNext(runtime)
  }

  /// Whether something is under way, or waits to be tried again.
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

  /// What the causes of a value tell.
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
    // What the world refuses is shown where it is asked for; what a script does wrong is listed.
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
        // What comes of the task from here on is too late.
        generation += 1
        inner.removeAll()
        finish(.failure(error), generation)
      }
    }
  }

  // MARK: Again

  /// Runs it again now, whatever has been read.
  func refresh() {
    isStopped = false
    isRetrying = false
    unobservedSince = nil
    inherited = nil
    if slot == nil { begin() } else { trigger.value &+= 1 }
  }

  /// Ends what is under way; nothing begins by itself until `refresh`.
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
      // Observers have it go on when they come.
      if failures == 0, isUnneeded(runtime) { return }
      isRetrying = failures > 0
      inherited = nil
      runtime.home.runWithinBudget { [self] in trigger.value &+= 1 }
    }
  }

  /// Ends the running task, if any, and what waits.
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

  /// Looks now and then whether anybody observes what is fetched.
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

/// What gets the results of a function that fetches.
protocol FetchingClient: AnyObject {
  /// The object that shows them.
  var fetchingObject: DataObject { get }
  var fetching: Fetching? { get }
  /// Whether anything depends on it.
  var isObserved: Bool { get }
  /// What the function is called with in the run of a number.
  func fetchingArguments(_ run: Int) throws -> [LuaValue]
  func fetchingBegan()
  func fetchingSucceeded(_ results: [LuaValue]) throws
  func fetchingFailed(_ error: TideError)
  /// Nothing is under way any more, and nothing came of it.
  func fetchingPaused()
  /// Takes over what one of an earlier version has got.
  func adopt(_ former: any FetchingClient)
}

extension TideError.Code {
  /// A file, a program or a server that a script has asked did not give what was wanted.
  public static let source = Self("source", 414)
  /// What a script waited for took longer than it may.
  public static let timeout = Self("timeout", 415)
}
