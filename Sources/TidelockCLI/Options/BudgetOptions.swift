import ArgumentParser
import TideLua
import TideScript
import TideTest

/// The budgets of scripts: memory, the time of a turn, and the other limits by name.
struct BudgetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The most memory that scripts may take (default: 256M).", valueName: "bytes")
  )
  var memory: ByteCount?

  @Option(
    help: ArgumentHelp(
      "The longest time that one turn of a script may take (default: 5, in specs as --timeout).",
      valueName: "seconds"))
  var turn: SecondsValue?

  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Set another budget: rows of one change, waiting timers, logLines a second, depth of computed values, value (bytes of one text), printed (bytes a second), settings (bytes on the disk); viewers of an app that is served, and seconds that an idle one's session is kept (may be repeated).",
      valueName: "name=number"),
    transform: LimitSetting.init)
  var limits: [LimitSetting] = []

  var isEmpty: Bool { memory == nil && turn == nil && limits.isEmpty }

  mutating func validate() throws {
    let least = Runtime.Configuration.leastMemory
    if let memory, memory.bytes < least {
      throw ValidationError(
        "--memory needs at least \(least >> 20)M, which the interpreter and a small app take.")
    }
    if let turn, turn.seconds == 0 {
      throw ValidationError("--turn needs more than 0 seconds.")
    }
  }

  /// The last value given for a limit; nil if there is none.
  func number(_ name: String) -> Int? { limits.last { $0.name == name }?.number }

  /// - Throws: an error if a limit for serving was given to a command that does not serve.
  func refuseLimitsOfServing() throws {
    if let limit = limits.first(where: { LimitSetting.ofServing.contains($0.name) }) {
      throw ValidationError("--limit \(limit.name) is for tidelock serve, and run --web.")
    }
  }

  func apply(to configuration: inout Runtime.Configuration) {
    if let memory { configuration.lua.memory = memory.bytes }
    if let turn { configuration.lua.turn = .seconds(turn.seconds) }
    set(&configuration.limits)
  }

  /// Applies the budgets to a test run, in which each file has its own runtime.
  func apply(to options: inout TestOptions) {
    if let memory { options.memory = memory.bytes }
    if let turn { options.turn = turn.seconds }
    set(&options.limits)
  }

  private func set(_ configured: inout Runtime.Limits) {
    for limit in limits { _ = configured.set(limit.name, to: limit.number) }
  }
}
