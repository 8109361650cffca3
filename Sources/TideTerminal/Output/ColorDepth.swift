/// How many colours a terminal shows.
package enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  case none
  case ansi8
  case ansi16
  case palette256
  case trueColor

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}
