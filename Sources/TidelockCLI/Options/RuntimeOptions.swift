import ArgumentParser
import Logging
import TideLua
import TideScript

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
