import CTideSlots

extension Graph {
  /// Whether too little of the thread's stack is left for another nested evaluation.
  package func stackIsShort() -> Bool { tide_stack_left() < 192 * 1024 }
}
