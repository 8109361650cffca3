import Foundation
import Testing
import TideBindings

@testable import TideViews

@Suite struct `An image` {
  /// Four pixels by four: red, white, black and nothing.
  static let png: [UInt8] = [
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0, 4, 8, 6, 0,
    0, 0, 169, 241, 158, 126, 0, 0, 0, 29, 73, 68, 65, 84, 120, 156, 99, 248, 207, 192, 240, 31, 4,
    24, 128, 52, 3, 20, 160, 10, 192, 56, 80, 26, 206, 130, 11, 2, 0, 9, 115, 32, 224, 12, 33, 208,
    41, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
  ]

  /// White, 2048 pixels by 1024.
  private static let large =
    "iVBORw0KGgoAAAANSUhEUgAACAAAAAQAAQAAAABdfITpAAAElUlEQVR42u3QMQEAAAwCIPuX1mspBhFIn4sAAQIECBAg"
    + String(repeating: "QIAAAQIECBAg", count: 126)
    + "QIAAAQLOAJSWO8X2aK3/AAAAAElFTkSuQmCC"

  @Test func `larger than any screen is made smaller while it is read`() throws {
    let bytes = try #require(Data(base64Encoded: Self.large))
    let picture = try PixelPicture(png: Array(bytes))
    #expect(picture.size == Size(width: 1024, height: 512))
    #expect(picture.byteCount == 1024 * 512 * 4)
    let mean = picture.average(of: Rect(picture.size))
    #expect(mean.red == 1 && mean.blue == 1 && mean.alpha == 1)
  }

  private func shown(_ width: Int, _ height: Int, _ bytes: [UInt8] = png) throws -> ShownView {
    let image = ViewClass.image.make()
    let shown = try ShownView(ViewClass.column.make([image]), width, height)
    shown.scene.host.readImage = { _ in bytes }
    shown.scene.onError = { _ in }
    image[.source] = "x.png"
    return shown
  }

  @Test func `shows two pixels in a cell, by colour and by light`() throws {
    let shown = try shown(4, 2)
    #expect(try shown.lines == ["▀█", "█▄▀▄"])
    let corner = shown.scene.frame[0, 0].style
    #expect(corner.foreground == .rgb(red: 255, green: 0, blue: 0))
    #expect(corner.background == .rgb(red: 0, green: 0, blue: 0))
    #expect(shown.scene.frame[3, 1].style.background == .standard, "what is clear stays clear")
  }

  @Test func `keeps its shape, and is smoothed where it is smaller`() throws {
    #expect(try shown(20, 2).lines == ["        ▀█", "        █▄▀▄"])
    #expect(try shown(2, 4).lines[0].count <= 2)
    _ = try shown(1, 1).lines
    let plain = try shown(4, 2)
    plain.scene.symbols = .ascii
    #expect(try plain.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
    #expect(try plain.lines[0].hasPrefix(".@"))
  }

  @Test func `that cannot be read says why in its index`() throws {
    let shown = try shown(60, 2, Array("no picture".utf8))
    #expect(try shown.lines[0].contains("cannot be read"))
    let image = try #require(shown.scene.root?.subviews.first)
    #expect(image[.error]?.contains("PNG") == true)
    image[.source] = nil
    #expect(try shown.lines == ["", ""])
    #expect(image[.error] == nil)
  }

  @Test func `cut short anywhere is an error, never a crash`() {
    for count in 0..<Self.png.count - 1 {
      let part = Array(Self.png.prefix(count))
      let picture = try? PixelPicture(png: part)
      // Only the end mark may be missing.
      if picture != nil { #expect(count > 70) }
    }
    for index in Self.png.indices {
      var broken = Self.png
      broken[index] ^= 0x55
      _ = try? PixelPicture(png: broken)
    }
  }

  @Test func `of a file that is not there is an error`() throws {
    let image = ViewClass.image.make()
    image[.source] = "missing.png"
    let shown = try ShownView(image, 60, 1)
    var errors: [TideError] = []
    shown.scene.onError = { errors.append($0) }
    image[.source] = "gone.png"
    #expect(try shown.text.contains("gone.png"))
    #expect(errors.map(\.code) == [.badImage])
  }
}
