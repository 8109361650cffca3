import Tidelock

/// How many samples a chart can show: as many as the widest has columns.
private let historyLength = 240

extension ObservableList<Double> {
  /// Adds the latest figure, and drops the oldest when there are enough.
  func record(_ figure: Double) {
    append(figure)
    while count > historyLength, (try? remove(at: 0)) != nil {}
  }
}
