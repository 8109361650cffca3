import TideSystem

/// Updates that were refused as stale, and whose newer change has not arrived yet.
///
/// If a key was purged at the engine, no change ever arrives. The model then has to be listed
/// again.
final class OverdueUpdates {
  private unowned let shared: SharedModel
  private var numbers: [SharingKey: Int] = [:]
  private var timer: LoopTimer?

  /// Seconds to wait for a change.
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
    // The changes may still be waiting in the intake.
    if shared.intake.hasWaiting || shared.state != .live { return lookLater() }
    numbers = [:]
    shared.joinAnew()
  }
}
