extension Double {
  /// Fewer digits than measured, so that a figure that hardly moves is no change.
  func rounded(to decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
