/// The head of a response, parsed line by line as libcurl delivers it.
struct HTTPHead {
  private(set) var status = 0
  private(set) var headers: [(name: String, value: String)] = []
  /// Whether the head has ended and the body follows.
  private(set) var isComplete = false
  /// Whether the next line is a status line.
  private var isAtStart = true
  private var bytes = 0
  private var fields = 0

  static let mostBytes = 256 << 10
  static let mostFields = 1000

  /// Parses a line. Returns false if the limits are exceeded, including interim responses and
  /// trailers.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    fields += 1
    guard bytes <= Self.mostBytes, fields <= Self.mostFields else { return false }
    // Trailers after a chunked body are ignored.
    if isComplete { return true }
    let text = line.prefix { $0 != 0x0D && $0 != 0x0A }
    if text.isEmpty {
      // Another head follows an interim response.
      isComplete = status >= 200 || status == 101
      isAtStart = true
    } else if isAtStart {
      isAtStart = false
      headers = []
      status = Self.status(of: text)
    } else if text.first == 0x20 || text.first == 0x09 {
      continueValue(with: Self.trim(text))
    } else if let colon = text.firstIndex(of: 0x3A) {
      let name = Self.trim(text[..<colon])
      headers.append((name.lowercased(), Self.trim(text[(colon + 1)...])))
    }
    return true
  }

  private mutating func continueValue(with text: String) {
    guard let last = headers.indices.last else { return }
    headers[last].value += " " + text
  }

  private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int {
    let words = line.split(separator: 0x20, maxSplits: 2)
    return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
  }

  private static func trim(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let start = bytes.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
    return String(decoding: start[..<end], as: UTF8.self)
  }

  func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The redirect's target; nil if the response is not a redirect.
  var target: String? {
    guard [301, 302, 303, 307, 308].contains(status) else { return nil }
    return value("location").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The body's declared length in bytes; nil if unknown.
  func declaredBytes(method: String) -> Int? {
    if method == "HEAD" || status == 204 || status == 304 { return nil }
    return value("content-encoding") == nil ? value("content-length").flatMap { Int($0) } : nil
  }
}
