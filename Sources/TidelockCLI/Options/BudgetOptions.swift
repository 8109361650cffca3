import ArgumentParser
import TideLua
import TideScript

/// The budgets of scripts: memory, the time of a turn, and the other limits by name.
struct BudgetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The most memory that scripts may take (default: 256M).", valueName: "bytes")
  )
  var memory: ByteCount?

  @Option(
    help: ArgumentHelp(
      "The longest time that one turn of a script may take (default: 5).", valueName: "seconds"))
  var turn: SecondsValue?

  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Set another budget: rows of one change, waiting timers, logLines a second, depth of computed values, value (bytes of one text), settings (bytes on the disk) (may be repeated).",
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

  func apply(to configuration: inout Runtime.Configuration) {
    if let memory { configuration.lua.memory = memory.bytes }
    if let turn { configuration.lua.turn = .seconds(turn.seconds) }
    for limit in limits { _ = configuration.limits.set(limit.name, to: limit.number) }
  }
}
