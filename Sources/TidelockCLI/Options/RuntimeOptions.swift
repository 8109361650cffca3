import ArgumentParser
import Logging
import TideLua
import TideScript
#if Store
  import TideStore
#endif

/// How the scripts of an app are run: what is logged, and what they may take and reach.
struct RuntimeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What to log to standard error.", valueName: "level"))
  var log = LogLevel.none

  @OptionGroup var budgets: BudgetOptions

  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "Let scripts read files below a folder, write them, read a variable of the environment, connect to a server, run programs (may be repeated).",
      valueName: Allowance.forms),
    transform: Allowance.init)
  var allowances: [Allowance] = []

  @OptionGroup var sharing: SharingOptions

  @Option(help: ConfineChoice.help)
  var confine = ConfineChoice.auto

  func apply(to configuration: inout Runtime.Configuration, isJSON: Bool) {
    configuration.logger = log.logger(label: "app", isJSON: isJSON)
    budgets.apply(to: &configuration)
    configuration.lua.access = allowances.access
    #if Store
      configuration.addStores()
    #endif
  }
}
