import Tidelock

/// What a processor, or all of them, did since the sample before, as shares of 1.
final class Processor: DataObject {
  @Property var busy = 0.0
  @Property var user = 0.0
  @Property var system = 0.0
  @Property var wait = 0.0
  @Property var steal = 0.0
  /// How busy it was at each sample, the latest last.
  @Property var history = ObservableList<Double>()

  func take(_ shares: ProcessorShares) {
    busy = shares.busy.rounded(to: 3)
    user = shares.user.rounded(to: 3)
    system = shares.system.rounded(to: 3)
    wait = shares.wait.rounded(to: 3)
    steal = shares.steal.rounded(to: 3)
    history.record(busy)
  }
}
