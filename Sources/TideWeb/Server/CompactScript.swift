/// A script without what only its readers need: comments on lines of their own, and white space beside
/// punctuation. Three tenths of the page's script are that.
///
/// ```swift
/// CompactScript("const one = f(2, \"a, b\");\n").text    // const one=f(2,"a, b");
/// ```
///
/// It is for a script that is written with it in mind: no text or regular expression goes over several
/// lines, and regular expressions hold neither quotation marks nor spaces.
struct CompactScript {
  private(set) var text = ""
  private var last: UInt8 = 0x0a

  init(_ script: String) {
    var bytes: [UInt8] = []
    for line in script.utf8.split(separator: 0x0a) {
      let code = line.drop { $0 == 0x20 }
      if !code.starts(with: "//".utf8) { add(code, to: &bytes) }
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  private mutating func add(_ line: Substring.UTF8View, to bytes: inout [UInt8]) {
    var quote: UInt8?
    var rest = line[...]
    while let byte = rest.popFirst() {
      if quote == nil, byte == 0x20 {
        let isBesidePunctuation =
          Self.closesUp(last) || rest.first.map { Self.closesUp($0) } ?? true
        if isBesidePunctuation { continue }
      }
      if byte == quote {
        quote = nil
      } else if quote == nil, "\"'`".utf8.contains(byte) {
        quote = byte
      } else if quote != nil, byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        bytes.append(byte)
        bytes.append(escaped)
        last = escaped
        continue
      }
      bytes.append(byte)
      last = byte
    }
    // Behind others the end of a line may end a statement.
    if !"{(,;=".utf8.contains(last) {
      bytes.append(0x0a)
      last = 0x0a
    }
  }

  /// Whether white space beside a character means nothing. Beside `+` and `-` it does where there are two,
  /// and `/` may begin a regular expression.
  private static func closesUp(_ byte: UInt8) -> Bool { "=(){},;:?<>*&|\n".utf8.contains(byte) }
}
