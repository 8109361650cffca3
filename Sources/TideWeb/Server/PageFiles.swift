import CTideWeb
import NIOCore
import TideSystem

/// The static files that the server sends: the document, the script and the style sheet of the
/// page.
///
/// The names of script and style sheet contain a hash of their content. So browsers may cache them
/// forever, and the server recognizes a page's version by them.
struct PageFiles: Sendable {
  private let files: [String: File]
  /// The pages that are served.
  private let places: Set<PagePlace>
  private let pictures: PagePictures
  private let scriptName: String

  struct File: Sendable {
    let type: String
    let content: ByteBuffer
    let isKept: Bool
  }

  init(_ places: Set<PagePlace>, _ pictures: PagePictures) {
    self.places = places
    self.pictures = pictures
    let script = ScriptText.compact(Self.bytes(tide_web_script()))
    let style = Self.bytes(tide_web_style())
    // A page with another script or style sheet belongs to another version.
    let mark = SHA256.hash(script + style).prefix(8).hexadecimal
    scriptName = "/client-\(mark).js"
    let styleName = "/client-\(mark).css"
    let page = String(decoding: Self.bytes(tide_web_page()), as: UTF8.self)
      .replacing("/client.js", with: scriptName).replacing("/client.css", with: styleName)
    var files = [
      scriptName: File(
        type: "text/javascript; charset=utf-8", content: ByteBuffer(bytes: script), isKept: true),
      styleName: File(
        type: "text/css; charset=utf-8", content: ByteBuffer(bytes: style), isKept: true),
    ]
    for place in places {
      files[place.rawValue] = File(
        type: "text/html; charset=utf-8", content: ByteBuffer(string: page), isKept: false)
    }
    self.files = files
  }

  /// The file at a path.
  func file(_ path: String) -> File? {
    if let file = files[path] { return file }
    return pictures[path].map { File(type: "image/png", content: $0, isKept: true) }
  }

  /// The page for which a connection is requested; nil if nothing can connect there.
  func place(ofConnection target: RequestTarget) -> PagePlace? {
    target.connection.flatMap { places.contains($0) ? $0 : nil }
  }

  /// Whether a page is of this version, judging by the address of its script.
  func isPresent(_ script: String) -> Bool { script.hasSuffix(scriptName) }

  private static func bytes(_ text: TideWebText) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text.bytes, count: text.count))
  }
}
