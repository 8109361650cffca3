public import Tidelock

/// Accounts of a household; scripts say what may be paid.
public final class Household: DataObject {
  /// What is left to pay with.
  @Property public var balance = 100.0
  /// What has been paid for, in order.
  @Property public var payments = ObservableList<String>()

  /// Furnishes a runtime with the ledger and with what its scripts call.
  ///
  /// The program and its tests call it, so that scripts find the same in both.
  public static func furnish(_ runtime: Runtime) throws {
    let ledger = Household()
    try runtime.register("ledger", ledger)
    try runtime.register("pay") { [unowned ledger] (what: String, amount: Double) throws in
      guard amount <= ledger.balance else { throw NotEnough(missing: amount - ledger.balance) }
      ledger.balance -= amount
      ledger.payments.append(what)
    }
  }

  struct NotEnough: Error, CustomStringConvertible {
    var missing: Double
    var description: String { "there are \(missing) too few" }
  }
}
