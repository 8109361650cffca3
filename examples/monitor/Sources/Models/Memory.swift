import Tidelock

/// The machine's memory, in bytes.
final class Memory: DataObject {
  @Property var total = 0
  @Property var available = 0
  @Property var used = 0
  @Property var cached = 0
  /// Used of the total, as a share of 1.
  @Property var share = 0.0
  @Property var swapTotal = 0
  @Property var swapUsed = 0
  @Property var swapShare = 0.0
  /// The share at each sample, the latest last.
  @Property var history = ObservableList<Double>()

  func take(_ figures: MemoryFigures) {
    total = figures.total
    available = figures.available
    used = figures.used
    cached = figures.cached
    share = Self.share(figures.used, of: figures.total)
    swapTotal = figures.swapTotal
    swapUsed = figures.swapUsed
    swapShare = Self.share(figures.swapUsed, of: figures.swapTotal)
    history.record(share)
  }

  private static func share(_ part: Int, of total: Int) -> Double {
    total > 0 ? (Double(part) / Double(total)).rounded(to: 3) : 0
  }
}
