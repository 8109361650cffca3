import TideBindings
import TideGraph
import TideScript
import TideViews

/// An attempt to replace modules by new versions, which commits or rolls back.
///
///     old contexts are suspended ──▶ new modules run ──▶ the graph settles, the scene is laid out
///                                                             │ success: the old contexts end
///                                                             └ failure: the new contexts end, and
///                                                               their writes are rolled back
final class ReloadTransaction {
  private let runtime: Runtime
  private let plan: ReloadPlan
  private let rollback: Rollback
  /// The state of the app before the transaction.
  private let modules: ModuleTable
  private let contexts: [String: BindingContext]
  private let components: [String: Component]
  private let unknownClasses: [ClassArgument]
  private let hasFinished: Bool
  private let shown: View?
  private let showingModule: String?
  private let interactionState: InteractionState?
  private let controllerKeepers: [() -> Void]
  private let failures: [TideError]
  /// The errors listed since the transaction began.
  private var listed: [TideError] = []
  private var disqualifying: TideError?
  /// The errors of views that were not found, but may exist once the scene is shown.
  private var missing: [TideError] = []
  /// The number of context entries of old versions that ended.
  private(set) var disposed = 0
  var kept: Int { rollback.kept }
  var reset: Int { rollback.reset }
  /// The classes that no module declares any more.
  private(set) var orphaned: [OrphanedClass] = []
  /// The number of modules that have run.
  private(set) var reloaded = 0

  init(_ runtime: Runtime, _ plan: ReloadPlan) {
    self.runtime = runtime
    self.plan = plan
    modules = runtime.modules
    contexts = runtime.contexts.named
    components = runtime.views.components
    unknownClasses = runtime.declarations.unknownClasses
    hasFinished = runtime.loader.hasFinished
    shown = runtime.scene?.shownView
    showingModule = runtime.views.showingModule
    interactionState = runtime.scene?.interactionState
    controllerKeepers = runtime.controllerKeepers()
    failures = runtime.bindings.listedFailures
    rollback = Rollback(runtime.graph, of: plan.modules)
  }

  /// Throws the error that caused a rollback.
  func run() throws {
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    runtime.loader.rollback = rollback
    runtime.scene?.host.isTryingReload = true
    runtime.bindings.editedRecords?.beginReload()
    runtime.bindings.forgetPassedWrites()
    runtime.bindings.reportAgain()
    let (tellOfError, tellOfFailure) = listen()
    defer {
      runtime.scene?.host.isTryingReload = false
      runtime.loader.rollback = nil
      runtime.bindings.forgetPassedWrites()
      runtime.bindings.hooks.onError = tellOfError
      runtime.bindings.hooks.onBindingFailure = tellOfFailure
    }
    do {
      for acceptor in plan.acceptors {
        try rollback.keep(runtime.dataKeeper(of: acceptor.module.hot))
      }
      try suspend(plan.modules)
      try runModules()
      runtime.settleControllers()
      try show()
      runtime.settleEditors()
      runtime.settleGraph()
      runtime.scene?.layOut()
      runtime.settleGraph()
      if let disqualifying = disqualifying ?? missing.first(where: isListed) {
        throw disqualifying
      }
    } catch {
      rollBack()
      throw error
    }
    commit()
    let found = Set(missing.filter { !isListed($0) }.map(\.identity))
    for error in listed where !found.contains(error.identity) { tellOfError?(error) }
  }

  // MARK: Errors

  /// Records the errors listed during the transaction. An error rejects the new version, unless its
  /// cause is a kept value or the old version had the same error.
  private func listen() -> (((TideError) -> Void)?, ((TideError) -> Void)?) {
    let table = runtime.bindings
    let before = (table.hooks.onError, table.hooks.onBindingFailure)
    let known = Set(table.errors.map(\.identity))
    table.hooks.onError = { [unowned self] in
      let isOfValue = rollback.isListingKeptData || Self.codesOfValues.contains($0.code)
      note($0, disqualifies: !isOfValue && !known.contains($0.identity))
    }
    table.hooks.onBindingFailure = { [unowned self] in
      let isOfValue = Self.codesOfBoundValues.contains($0.code)
      note($0, disqualifies: !isOfValue && !known.contains($0.identity))
    }
    return before
  }

  private func note(_ error: TideError, disqualifies: Bool) {
    listed.append(error)
    guard disqualifies else { return }
    if error.code == .unknownView {
      missing.append(error)
    } else if disqualifying == nil {
      disqualifying = error
    }
  }

  private func isListed(_ error: TideError) -> Bool {
    runtime.bindings.errors.contains { $0.identity == error.identity }
  }

  /// The codes of errors that a kept value may cause, and that of two views with the same id, which
  /// is only reported.
  private static let codesOfValues: Set<TideError.Code> = [
    .refused, .conversion, .duplicate, .settings,
  ]
  private static let codesOfBoundValues: Set<TideError.Code> = [.refused, .conversion, .wrongType]

  // MARK: Suspending

  /// Suspends old versions, and removes their named declarations.
  private func suspend(_ old: [Module]) throws {
    rollback.leaving += old
    runtime.bindings.withoutRestoring {
      for module in old { module.context.isEnabled = false }
    }
    let families = Set(old.map(\.context.family))
    runtime.contexts.named = runtime.contexts.named.filter { !families.contains($0.value.family) }
    for module in old {
      for name in module.components { runtime.views.components[name] = nil }
      for name in module.models.keys { runtime.models.unclaim(name, by: module) }
      try rollback.keep(runtime.dataKeeper(of: module.hot))
    }
    try runtime.removeGlobals(of: old)
    for module in old where !module.isMain { runtime.modules[module.name] = nil }
  }

  /// Suspends modules that the old main script needed, directly or indirectly, and the new one does
  /// not.
  private func suspendUnneeded() throws {
    let requiresLess = plan.modules.contains { module in
      !(runtime.modules[module.name]?.required.isSuperset(of: module.required) ?? false)
    }
    if !requiresLess, rollback.takenModels.isEmpty { return }
    let needed = runtime.modules.reachable(from: "")
    if let taken = rollback.takenModels.first(where: { needed.contains($0.owner.name) }) {
      throw taken.error
    }
    let unneeded = modules.reachable(from: "").subtracting(needed)
    try suspend(runtime.modules.all.filter { unneeded.contains($0.name) })
  }

  private func runModules() throws {
    if plan.runsMain {
      reloaded += 1
      runtime.startMainAnew()
      try runtime.runMain()
    }
    // The main script requires its dependencies again. Modules that no module requires are loaded
    // here.
    let all = plan.runsMain ? modules.all : []
    for module in plan.modules where !module.isMain && runtime.modules[module.name] == nil {
      if all.contains(where: { $0.required.contains(module.name) }) { continue }
      do {
        try runtime.load(module: module.name)
      } catch {
        // If a script requires the module, that script's error is reported instead.
        throw TideError(script: error)
      }
    }
    reloaded += plan.modules.filter { !$0.isMain && runtime.modules[$0.name] != nil }.count
    for (module, taken) in plan.acceptors {
      for name in taken { try runtime.offer(name, to: module) }
    }
    if !plan.runsMain {
      runtime.finish()
    } else if runtime.loader.hasFinished {
      try suspendUnneeded()
    }
  }

  private func show() throws {
    if let view = rollback.shown { return try runtime.scene?.reconcile(with: view) ?? () }
    // The visible view belongs to a version that ends, and the new version shows nothing.
    let isOld = plan.modules.contains { $0.name == showingModule }
    if isOld, runtime.loader.hasFinished, shown != nil {
      try runtime.scene?.show(ViewClass.column.make())
      rollback.shown = runtime.scene?.shownView
    }
  }

  // MARK: Rollback and commit

  private func rollBack() {
    if rollback.shown != nil, let shown, let interactionState {
      try? runtime.scene?.restore(shown, interactionState)
    }
    // Ids refer to the old views again.
    (rollback.shown, rollback.hidesOldViews) = (nil, false)
    for module in runtime.modules.all.reversed() where modules[module.name] !== module {
      runtime.bindings.withoutRestoring { module.context.removeAll() }
      for name in module.models.keys { runtime.models.unclaim(name, by: module) }
    }
    runtime.modules = modules
    runtime.contexts.named = contexts
    runtime.views.components = components
    runtime.declarations.unknownClasses = unknownClasses
    runtime.loader.hasFinished = hasFinished
    for module in rollback.leaving { runtime.models.claimAgain(by: module) }
    runtime.settleGraph { rollback.rollBack() }
    runtime.bindings.listedFailures = failures
    runtime.settleGraph()
    for keeper in controllerKeepers { keeper() }
    if let interactionState { runtime.scene?.restoreViews(interactionState) }
    for module in rollback.leaving { module.context.resume() }
    endEdits(isCommitted: false)
  }

  private func commit() {
    for module in rollback.leaving { runtime.disposeOfState(in: module) }
    runtime.bindings.passWaitingWrites(
      from: rollback.leaving.map(\.context),
      to: runtime.modules.all.filter { $0.former != nil }.map(\.context))
    for module in rollback.leaving.reversed() {
      disposed += module.context.totalCount
      runtime.bindings.withoutRestoring { module.context.removeAll() }
    }
    let current = runtime.modules.all
    let transformers = current.reduce(into: Set()) { $0.formUnion($1.transformers) }
    for module in rollback.leaving {
      for name in module.models.keys where !runtime.models.isClaimed(name) {
        runtime.models.hide(name)
      }
      for name in module.transformers.subtracting(transformers) {
        runtime.transformers.remove(name)
      }
    }
    for module in current { module.commit() }
    orphaned = runtime.orphanClasses(of: rollback.leaving)
    rollback.commit()
    let paths = Set(rollback.leaving.map(\.path)),
      families = Set(rollback.leaving.map(\.context.family))
    // Errors listed before the reload are removed together with the version that caused them.
    // Errors that still exist have been listed again.
    let before = Set(failures.map(\.entry))
    runtime.bindings.clearErrors { error in
      guard before.contains(error.entry) else { return false }
      return error.family.map(families.contains) == true
        || error.location.map { paths.contains($0.file) } != false
    }
    endEdits(isCommitted: true)
  }

  /// Removed records cannot be restored any more.
  private func endEdits(isCommitted: Bool) {
    runtime.settleGraph { runtime.bindings.editedRecords?.endReload(isCommitted: isCommitted) }
  }
}
