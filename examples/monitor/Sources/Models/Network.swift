import Tidelock

/// What goes through the machine's network interfaces, in bytes a second.
final class Network: DataObject {
  @Property var received = 0
  @Property var sent = 0
  /// The rates at each sample, the latest last.
  @Property var receivedHistory = ObservableList<Double>()
  @Property var sentHistory = ObservableList<Double>()

  func take(_ counters: NetworkCounters, since earlier: NetworkCounters?, seconds: Double) {
    let rates = counters.rates(since: earlier ?? counters, seconds: seconds)
    received = rates.received
    sent = rates.sent
    receivedHistory.record(Double(received))
    sentHistory.record(Double(sent))
  }
}
