import CTideLua
import TideBindings
import TideGraph
import TideLua

/// Calls a script's function whenever something that it read has changed. What that makes is
/// disposed of, and the function that it gave is called, before it runs again and when the effect
/// ends.
final class ScriptEffect: EffectBody, LocatedBody {
  private let function: LuaFunction
  private let owner: Home
  /// Where the effect was made.
  private let context: BindingContext
  /// What the latest run has made.
  private let inner: BindingContext
  private var cleanUp: LuaFunction?
  private var isOver = false
  /// In which stretch of another person than the last to act it has run.
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
    // What cleans up may end the effect.
    if isOver { return }
    defer { if isOver { tidy() } }
    try owner.with { runtime in
      try runtime.table.with(inner) {
        try runtime.perform {
          let result = try function.call(with: UnsafeBufferPointer(start: nil, count: 0))
          // Mostly it gives nothing.
          guard result.cell.tag >= TIDE_LUA_TABLE, let function = try result.value().function else {
            return
          }
          cleanUp = try runtime.kept(function, in: context)
        }
      }
    }
  }

  /// Cleans up for good, or leaves that to the run that has ended the effect.
  func end() {
    isOver = true
    tidy()
  }

  /// Ends what the run before has made. At the runtime's own end no script runs any more.
  private func tidy() {
    inner.removeAll()
    guard let function = cleanUp else { return }
    cleanUp = nil
    owner.runtime?.callBack(in: context) { try function.call([]) }
  }
}
