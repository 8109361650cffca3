import TideLua
import TideScript

/// An endless finalizer, say, cannot be stopped without the interpreter. Then the test is told of that
/// did it, and what comes after it runs in a new interpreter:
///
///     file ─┬─ 0 block ─┬─ 0 test
///           │           └─ 1 test      closed at [0, 1]
///           └─ 1 block ─── 0 test      the next to run: blocks on the way are declared again, and
///                                      their hooks run again
extension SpecRunner {
  var isOpen: Bool { specs.runtime.lua.isOpen }

  /// Whether the rest of the file must run in another interpreter.
  var isToBeResumed: Bool { closedAt?.isEmpty == false && !isStopped }

  /// Notes where the interpreter was closed, if it was.
  func checkInterpreter() {
    if closedAt == nil && !isOpen { closedAt = position }
  }

  /// Runs what a block declared, or what of it comes after the place where the file is gone on with.
  func runChildren(of block: SpecElement) {
    let place = resumption
    resumption = []
    for (index, child) in block.children.enumerated() where !isStopped && isOpen {
      if let first = place.first, index <= first {
        if index < first || place.count == 1 { continue }
        resumption = Array(place.dropFirst())
      }
      position.append(index)
      run(child)
      position.removeLast()
    }
  }
}
