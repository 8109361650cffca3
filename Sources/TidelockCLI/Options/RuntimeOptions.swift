import ArgumentParser
import Logging
import TideLua
import TideScript
#if Store
  import TideStore
#endif

/// How to run an app's scripts: logging, budgets and permissions.
struct RuntimeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What to log to standard error.", valueName: "level"))
  var log = LogLevel.none

  @OptionGroup var budgets: BudgetOptions

  @OptionGroup var access: AccessOptions

  @OptionGroup var sharing: SharingOptions

  @Option(help: ConfineChoice.help)
  var confine = ConfineChoice.auto

  var allowances: [Allowance] { access.allowances }

  /// - Parameter writesStores: whether the run may write to the app's databases.
  func apply(
    to configuration: inout Runtime.Configuration, isJSON: Bool, writesStores: Bool = true
  ) {
    configuration.logger = log.logger(label: "app", isJSON: isJSON)
    budgets.apply(to: &configuration)
    access.apply(to: &configuration, writesStores: writesStores)
  }
}

/// The permissions of an app's scripts.
struct AccessOptions: ParsableArguments {
  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "Let scripts read files below a folder, write them, read a variable of the environment, connect to a server, run programs (may be repeated).",
      valueName: Allowance.forms),
    transform: Allowance.init)
  var allowances: [Allowance] = []

  @Flag(
    help: ArgumentHelp(
      "Let pictures, repl -e, why and profile use the app's databases themselves; without it they work on copies that are thrown away, of at most 256 MiB each."
    ))
  var originalStores = false

  /// - Parameter writesStores: whether the run may write to the app's databases.
  func apply(to configuration: inout Runtime.Configuration, writesStores: Bool) {
    configuration.lua.access = allowances.access
    #if Store
      configuration.addStores(copying: !writesStores && !originalStores)
    #endif
  }
}
