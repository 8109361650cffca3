import TideBindings
import TideGraph

/// A script's loop over a list. It iterates over the rows that the list had when the loop began.
final class ListLoop {
  let list: ValueList
  private var rows: ListSnapshot
  private let loops: ListLoops
  /// Its index among the open loops.
  fileprivate var index: Int

  init(over list: ValueList, among loops: ListLoops) {
    self.list = list
    self.loops = loops
    rows = list.snapshot
    index = loops.open.count
    loops.open.append(Unmanaged.passUnretained(self))
  }

  deinit {
    loops.close(at: index)
    rows.release()
  }

  /// The element at a position, from 0; nil beyond the end.
  subscript(position: Int) -> Value? { rows[position] }

  fileprivate func addHeld(to meter: inout MemoryMeter, _ counted: inout CountedChunks) {
    meter.add(Self.weight)
    rows.addHeld(to: &meter, beside: list, counted: &counted)
  }

  private static let weight = 128
}

/// The open loops over lists. Their rows count towards the memory of scripts.
final class ListLoops {
  fileprivate var open: [Unmanaged<ListLoop>] = []

  fileprivate func close(at index: Int) {
    let last = open.removeLast()
    if index == open.count { return }
    open[index] = last
    last._withUnsafeGuaranteedRef { $0.index = index }
  }

  func addHeld(to meter: inout MemoryMeter) {
    var counted = CountedChunks()
    for loop in open { loop._withUnsafeGuaranteedRef { $0.addHeld(to: &meter, &counted) } }
  }
}
