import ArgumentParser
import TideViews

/// `--size 80x24`: columns and rows.
struct PictureSize: ExpressibleByArgument {
  let size: Size

  static let standard = PictureSize(size: Size(width: 80, height: 24))
  /// Wider and higher than any terminal; a picture takes memory for each cell.
  private static let limit = 2000

  private init(size: Size) { self.size = size }

  init?(argument: String) {
    let numbers = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...Self.limit).contains(width), (1...Self.limit).contains(height)
    else { return nil }
    size = Size(width: width, height: height)
  }

  var defaultValueDescription: String { "\(size.width)x\(size.height)" }
}
