import CTideSlots

extension Graph {
  /// Whether too little of the thread's stack is left for another nested evaluation.
  func stackIsShort() -> Bool {
    var here: UInt8 = 0
    let address = withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
    return address < tide_stack_end() + 192 * 1024
  }
}
