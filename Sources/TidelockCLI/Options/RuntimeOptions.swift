import ArgumentParser
import Logging
import TideLua
import TideScript

/// How the scripts of an app are run: what is logged, and what they may take and reach.
struct RuntimeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What to log to standard error.", valueName: "level"))
  var log = LogLevel.none

  @OptionGroup var budgets: BudgetOptions

  @OptionGroup var access: AccessOptions

  @OptionGroup var sharing: SharingOptions

  @Option(help: ConfineChoice.help)
  var confine = ConfineChoice.auto

  var allowances: [Allowance] { access.allowances }

  /// - Parameter writesStores: whether the run is one that writes the app's databases.
  func apply(
    to configuration: inout Runtime.Configuration, isJSON: Bool, writesStores: Bool = true
  ) {
    configuration.logger = log.logger(label: "app", isJSON: isJSON)
    budgets.apply(to: &configuration)
    access.apply(to: &configuration, writesStores: writesStores)
  }
}
