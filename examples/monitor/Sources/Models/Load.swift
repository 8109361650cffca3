import Tidelock

/// How many tasks run or want to.
final class Load: DataObject {
  /// Averages over one, five and fifteen minutes.
  @Property var one = 0.0
  @Property var five = 0.0
  @Property var fifteen = 0.0
  /// The average over one minute at each sample, the latest last.
  @Property var history = ObservableList<Double>()
  @Property var running = 0
  @Property var tasks = 0
  /// As many can run at once.
  @Property var coreCount = 1

  func take(_ averages: LoadAverages, coreCount: Int) {
    one = averages.one
    five = averages.five
    fifteen = averages.fifteen
    running = averages.running
    tasks = averages.tasks
    self.coreCount = max(1, coreCount)
    history.record(one)
  }
}
