import CTideImage
public import TideBindings
import TideGraph
import TideSystem

/// The pixels of a picture.
///
/// ```swift
/// let picture = try PixelPicture(png: bytes)
/// picture.size.width     // in pixels
/// ```
public struct PixelPicture: Sendable {
  /// Columns and rows of pixels.
  public let size: Size
  /// Red, green, blue and alpha, row by row.
  private let bytes: [UInt8]

  /// The maximum number of pixels of a file.
  private static let limit: UInt64 = 1 << 24
  /// The maximum number of pixels in memory, more than a terminal has cells. A larger picture is
  /// scaled down while it is decoded.
  private static let keptLimit: UInt64 = 1 << 20

  /// Decodes a PNG file.
  ///
  /// - Throws: `badImage` with the reason, which may be that the current turn has no time or memory
  ///   left.
  public init(png: [UInt8]) throws(TideError) {
    var limits = TidePictureLimits(
      pixels: Self.limit, kept: Self.keptLimit, goesOn: { !WorkBudget.isOver },
      admits: { (try? WorkBudget.admit(bytes: Int(clamping: $0))) != nil })
    var picture = tide_picture_read(png, png.count, &limits)
    guard let pixels = picture.pixels else {
      let reason = withUnsafeBytes(of: &picture.failure) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw TideError(.badImage, "the picture cannot be read: \(reason)")
    }
    size = Size(width: Int(picture.width), height: Int(picture.height))
    bytes = Array(UnsafeBufferPointer(start: pixels, count: size.width * size.height * 4))
    free(pixels)
  }

  /// The size of the pixels in bytes.
  package var byteCount: Int { bytes.count }

  /// The mean colour of an area, with components from 0 to 1, weighted by the opacity of the
  /// pixels.
  func average(of area: Rect) -> Mean {
    var mean = Mean()
    var count = 0
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let index = (y * size.width + x) * 4
        let alpha = Double(bytes[index + 3]) / 255
        mean.red += Double(bytes[index]) / 255 * alpha
        mean.green += Double(bytes[index + 1]) / 255 * alpha
        mean.blue += Double(bytes[index + 2]) / 255 * alpha
        mean.alpha += alpha
        count += 1
      }
    }
    guard mean.alpha > 0 else { return Mean() }
    mean.red /= mean.alpha
    mean.green /= mean.alpha
    mean.blue /= mean.alpha
    mean.alpha /= Double(count)
    return mean
  }

  struct Mean: Equatable {
    var red = 0.0
    var green = 0.0
    var blue = 0.0
    /// The opacity; 0 is transparent.
    var alpha = 0.0

    /// The brightness by the weights of Rec. 601.
    var brightness: Double { (red * 0.299 + green * 0.587 + blue * 0.114) * alpha }

    var color: Color {
      .rgb(red: Self.byte(red), green: Self.byte(green), blue: Self.byte(blue))
    }

    private static func byte(_ part: Double) -> UInt8 {
      UInt8(max(0, min(255, (part * 255).rounded())))
    }
  }
}

extension TideError.Code {
  /// A picture's file is missing, damaged, too large or in another format.
  public static let badImage = Self("badImage", 321)
}
