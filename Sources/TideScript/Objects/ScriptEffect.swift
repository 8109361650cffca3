import CTideLua
import TideBindings
import TideGraph
import TideLua

/// Calls a script's function whenever something that it has read changes. Before each further run,
/// and at the effect's end, everything that the last run made is disposed of, and the clean-up
/// function that it returned is called.
final class ScriptEffect: EffectBody, LocatedBody {
  private let function: LuaFunction
  private let owner: Home
  /// Where the effect was made.
  private let context: BindingContext
  /// Owns everything that the latest run has made.
  private let inner: BindingContext
  private var cleanUp: LuaFunction?
  private var isOver = false
  /// The viewer's stretch in which it last ran; see ``ViewerObject``.
  private var stretch: Int?

  init(_ function: LuaFunction, in runtime: Runtime) {
    self.function = function
    owner = runtime.home
    context = runtime.context
    inner = BindingContext("effect", kindOf: context)
  }

  var definition: SourceLocation? { function.location.map { SourceLocation($0) } }

  override func run(_ slot: Slot) throws {
    if let runtime = owner.runtime {
      if runtime.skipsRun(of: slot, afterRunIn: stretch) { return }
      stretch = runtime.ending.viewer.stretch
    }
    tidy()
    // The clean-up may end the effect.
    if isOver { return }
    defer { if isOver { tidy() } }
    try owner.with { runtime in
      try runtime.table.with(inner) {
        try runtime.perform {
          let result = try function.call(with: UnsafeBufferPointer(start: nil, count: 0))
          // Most effects return nothing.
          guard result.cell.tag >= TIDE_LUA_TABLE, let function = try result.value().function else {
            return
          }
          cleanUp = try runtime.kept(function, in: context)
        }
      }
    }
  }

  /// Cleans up for good. If the effect ends during a run, that run does so.
  func end() {
    isOver = true
    tidy()
  }

  /// Disposes of everything that the last run made. At the end of the runtime, no clean-up function
  /// runs.
  private func tidy() {
    inner.removeAll()
    guard let function = cleanUp else { return }
    cleanUp = nil
    owner.runtime?.callBack(in: context) { try function.call([]) }
  }
}
