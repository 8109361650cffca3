/// The operator of a binding expression: the direction of the binding, and whether it begins with a
/// copy.
///
/// ```swift
/// try BindingExpression("name <> text").arrow == .both   // true
/// ```
///
/// `->` copies left to right and then follows, `<-` the other way round, `<>` both ways. A `!`
/// omits the initial copy. With `~` the transformers apply forward along the arrow; `<-` applies
/// their reverses.
package enum Arrow: String, Sendable, CaseIterable {
  /// `->`: the right end follows the left one.
  case right = "->"
  /// `<-`: the left end follows the right one, through the transformers' reverses.
  case left = "<-"
  /// `<>`: each end follows the other.
  case both = "<>"
  /// `!->`: to the right, from the next change on.
  case rightLater = "!->"
  /// `<-!`: to the left, from the next change on.
  case leftLater = "<-!"
  /// `<!>`: both ways, from the next change on.
  case bothLater = "<!>"
  /// `~>`: to the right, through the transformers as they are.
  case rightForward = "~>"
  /// `<~`: to the left, through the transformers as they are.
  case leftForward = "<~"
  /// `!~>`: to the right, from the next change on.
  case rightForwardLater = "!~>"
  /// `<~!`: to the left through the transformers as they are, from the next change on.
  case leftForwardLater = "<~!"

  /// True when the right end follows the left one.
  package var goesRight: Bool {
    switch self {
    case .right, .both, .rightLater, .bothLater, .rightForward, .rightForwardLater: true
    case .left, .leftLater, .leftForward, .leftForwardLater: false
    }
  }

  /// True when the left end follows the right one.
  package var goesLeft: Bool {
    switch self {
    case .left, .both, .leftLater, .bothLater, .leftForward, .leftForwardLater: true
    case .right, .rightLater, .rightForward, .rightForwardLater: false
    }
  }

  /// Whether each end follows the other.
  package var isTwoWay: Bool { self == .both || self == .bothLater }

  /// True when the binding begins with a copy: left to right if the arrow points right, else right
  /// to left.
  package var copiesAtFirst: Bool {
    switch self {
    case .right, .left, .both, .rightForward, .leftForward: true
    case .rightLater, .leftLater, .bothLater, .rightForwardLater, .leftForwardLater: false
    }
  }

  /// True when a right-to-left assignment runs the transformers forward, in the order written.
  package var appliesForwardLeftward: Bool { self == .leftForward || self == .leftForwardLater }

  /// The same arrow seen from the other side: `->` becomes `<-`.
  package var mirrored: Arrow {
    switch self {
    case .right: .left
    case .left: .right
    case .rightLater: .leftLater
    case .leftLater: .rightLater
    case .rightForward: .leftForward
    case .leftForward: .rightForward
    case .rightForwardLater: .leftForwardLater
    case .leftForwardLater: .rightForwardLater
    case .both, .bothLater: self
    }
  }
}
