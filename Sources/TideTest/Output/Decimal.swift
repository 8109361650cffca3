extension Double {
  /// With so many digits after the point.
  func fixed(_ digits: Int) -> String {
    guard isFinite else { return "\(self)" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let (whole, rest) = Int((magnitude * Double(scale)).rounded()).quotientAndRemainder(
      dividingBy: scale)
    let sign = self < 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let tail = "\(rest)"
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - tail.count) + tail
  }

  /// With at most six digits after the point, and at least one.
  var shortened: String {
    var text = fixed(6)
    while text.hasSuffix("0") && !text.hasSuffix(".0") { text.removeLast() }
    return text
  }
}
