/// The names of the machine's users, by number.
struct UserNames: Equatable {
  private var names: [Int: String] = [:]

  /// Reads /etc/passwd, a user a line, as in `daemon:x:1:1:…`.
  init(parsing text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count > 2, let number = Int(String(decoding: fields[2], as: UTF8.self)) else {
        continue
      }
      names[number] = names[number] ?? String(decoding: fields[0], as: UTF8.self)
    }
  }

  /// A user without a name is shown by number.
  subscript(number: Int) -> String { names[number] ?? "\(number)" }
}
