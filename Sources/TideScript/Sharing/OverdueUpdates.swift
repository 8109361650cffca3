import TideSystem

/// Updates that were refused because of changes that have not come yet.
///
/// Where somebody has purged a key, no change ever comes, and all of what there is has to come once
/// more.
final class OverdueUpdates {
  private unowned let shared: SharedModel
  private var numbers: [SharingKey: Int] = [:]
  private var timer: LoopTimer?

  /// Seconds that a change may take.
  private static let patience = 5.0

  init(of shared: SharedModel) { self.shared = shared }

  deinit { timer?.cancel() }

  /// Waits for the change that shows whether an update was applied.
  func expectChange(of key: SharingKey, _ number: Int) {
    numbers[key] = number
    lookLater()
  }

  private func lookLater() {
    if timer != nil || numbers.isEmpty { return }
    timer = shared.runtime.loop.after(Self.patience, keepsRunning: false) { [weak self] in
      self?.timer = nil
      self?.look()
    }
  }

  private func look() {
    numbers = numbers.filter { shared.replica.awaits($0.key, $0.value) }
    if numbers.isEmpty { return }
    // What waits here may have the changes.
    if shared.intake.hasWaiting || shared.state != .live { return lookLater() }
    numbers = [:]
    shared.joinAnew()
  }
}
