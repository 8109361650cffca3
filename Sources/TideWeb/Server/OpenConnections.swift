import NIOCore
import TideSystem
import TideValues

/// The connections of a server: those of viewers, and others, which wait for a request or for its
/// answer.
///
///     add ──▶ waiting ──admit──▶ viewers
///                │ too many: the oldest of the busiest address is closed
///
/// So idle connections do not lock out later clients, and no browser or address takes all places.
final class OpenConnections: Sendable {
  private let limits: PageServer.Limits
  private let state = Guarded(State())
  /// Signalled when the last viewer has left.
  private let hasEmptied = Condition()

  private struct State {
    /// By number.
    var waiting: [Int: Waiting] = [:]
    var lines: [String: Line] = [:]
    var viewers: [Int: (channel: any Channel, holder: PlaceHolder)] = [:]
    var places: [PlaceHolder.Key: Int] = [:]
    var last = 0
  }

  /// The waiting connections of one address, linked by their numbers.
  private struct Line {
    var oldest: Int
    var newest: Int
    var count = 1
  }

  private struct Waiting {
    let channel: any Channel
    let address: String
    var older: Int?
    var newer: Int?
  }

  init(_ limits: PageServer.Limits) { self.limits = limits }

  /// Registers a connection until it closes, and returns its number.
  func add(_ channel: any Channel) -> Int {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let (number, outdated) = state.withLock { state in
      let outdated = state.waiting.count >= limits.waiting ? Self.removeOldest(&state) : nil
      state.last += 1
      let number = state.last
      let older = state.lines[address]?.newest
      state.waiting[number] = Waiting(channel: channel, address: address, older: older)
      if let older {
        state.waiting[older]?.newer = number
        state.lines[address]?.newest = number
        state.lines[address]?.count += 1
      } else {
        state.lines[address] = Line(oldest: number, newest: number)
      }
      return (number, outdated)
    }
    outdated?.close(promise: nil)
    channel.closeFuture.whenComplete { [self] _ in remove(number) }
    return number
  }

  /// Removes the oldest connection of the address with the most connections.
  private static func removeOldest(_ state: inout State) -> (any Channel)? {
    guard let line = state.lines.values.max(by: { $0.count < $1.count }) else { return nil }
    return removeWaiting(line.oldest, &state)
  }

  private static func removeWaiting(_ number: Int, _ state: inout State) -> (any Channel)? {
    guard let waiting = state.waiting.removeValue(forKey: number),
      var line = state.lines[waiting.address]
    else { return nil }
    line.count -= 1
    if let older = waiting.older { state.waiting[older]?.newer = waiting.newer }
    if let newer = waiting.newer { state.waiting[newer]?.older = waiting.older }
    line.oldest = waiting.older == nil ? waiting.newer ?? line.oldest : line.oldest
    line.newest = waiting.newer == nil ? waiting.older ?? line.newest : line.newest
    state.lines[waiting.address] = line.count > 0 ? line : nil
    return waiting.channel
  }

  private func remove(_ number: Int) {
    let isEmpty = state.withLock { state in
      _ = Self.removeWaiting(number, &state)
      guard let viewer = state.viewers.removeValue(forKey: number) else { return false }
      for key in viewer.holder.keys {
        let left = (state.places[key] ?? 1) - 1
        state.places[key] = left > 0 ? left : nil
      }
      return state.viewers.isEmpty
    }
    if isEmpty { hasEmptied.signal() }
  }

  /// The reason to refuse a viewer now; nil if there is none.
  func refusal(of holder: PlaceHolder) -> PageRefusal? {
    state.withLock { refusal(of: holder, $0) }
  }

  private func refusal(of holder: PlaceHolder, _ state: State) -> PageRefusal? {
    if state.viewers.count >= limits.viewers { return .full }
    let isOverShare = holder.keys.contains { key in
      (state.places[key] ?? 0) >= key.share(of: limits.viewers)
    }
    return isOverShare ? .overShare : nil
  }

  /// Turns a waiting connection into a viewer's connection.
  ///
  /// - Returns: the reason for a refusal; nil on success.
  func admit(_ number: Int, _ holder: PlaceHolder) -> PageRefusal? {
    state.withLock { state in
      if let refusal = refusal(of: holder, state) { return refusal }
      guard let waiting = Self.removeWaiting(number, &state) else { return .full }
      state.viewers[number] = (waiting, holder)
      for key in holder.keys { state.places[key, default: 0] += 1 }
      return nil
    }
  }

  /// Waits until no viewer is connected, with a timeout.
  func waitForViewers(seconds: Double) {
    let known = hasEmptied.count
    if state.withLock({ $0.viewers.isEmpty }) { return }
    _ = hasEmptied.wait(beyond: known, seconds: seconds)
  }

  func closeAll() {
    let channels = state.withLock {
      $0.waiting.values.map(\.channel) + $0.viewers.values.map(\.channel)
    }
    for channel in channels { channel.close(promise: nil) }
  }
}
