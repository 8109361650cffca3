extension Transformer where Input == String, Output == String {
  /// Without white space at either end, in both directions.
  public static var trimmed: Self { Self({ $0.trimmed }, reverse: { $0.trimmed }) }
  /// In capital letters.
  public static var uppercased: Self { Self({ try $0.mapped { $0.uppercased() } }) }
  /// In small letters.
  public static var lowercased: Self { Self({ try $0.mapped { $0.lowercased() } }) }
  /// Each word with a capital letter and the rest small.
  public static var capitalized: Self { Self({ try $0.capitalizedWords }) }
}

extension Transformer where Input == Bool, Output == Bool {
  /// True for false, and false for true; both ways.
  public static var not: Self { Self({ !$0 }, reverse: { !$0 }) }
}

extension Transformer where Input == Double, Output == Double {
  /// Times a factor, and divided by it on the way back.
  public static func scaled(by factor: Double) -> Self {
    Self({ $0 * factor }, reverse: factor == 0 ? nil : { $0 / factor })
  }

  /// Plus a distance, and minus it on the way back.
  public static func offset(by distance: Double) -> Self {
    Self({ $0 + distance }, reverse: { $0 - distance })
  }

  /// Held within a range, both ways.
  public static func clamped(to range: ClosedRange<Double>) -> Self {
    let clamp = { (value: Double) in min(max(value, range.lowerBound), range.upperBound) }
    return Self(clamp, reverse: clamp)
  }
}
