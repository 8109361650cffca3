/// The types of mounted file systems.
struct MountTable {
  private var kinds: [(point: String, kind: String)] = []

  /// File system types whose files may change remotely without local events.
  private static let silentKinds: Set<String> = [
    "9p", "afs", "ceph", "cifs", "ncpfs", "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf",
    "virtiofs", "vmhgfs",
  ]

  /// - Parameter text: the contents of `/proc/self/mountinfo`; see proc(5).
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash > 4, dash + 1 < fields.count else {
        continue
      }
      kinds.append((Self.unescaped(fields[4]), String(fields[dash + 1])))
    }
  }

  /// This machine's mounts; empty if they cannot be read.
  static var current: MountTable {
    guard let file = fopen("/proc/self/mountinfo", "r") else { return MountTable("") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16_384)
    while case let count = fread(&room, 1, room.count, file), count > 0 { bytes += room[..<count] }
    return MountTable(String(decoding: bytes, as: UTF8.self))
  }

  /// Whether saves in a folder may cause no events. The path must be absolute and free of links.
  func isSilent(_ folder: String) -> Bool {
    var found: (point: String, kind: String)?
    for mount in kinds where Self.holds(mount.point, folder) {
      // Of two mounts at one point, the later one hides the other.
      if mount.point.utf8.count >= found?.point.utf8.count ?? 0 { found = mount }
    }
    guard let kind = found?.kind else { return false }
    return Self.silentKinds.contains(kind) || kind.hasPrefix("fuse.")
  }

  private static func holds(_ point: String, _ folder: String) -> Bool {
    point == "/" || folder == point || folder.hasPrefix(point + "/")
  }

  /// Decodes the octal escapes of blanks and backslashes.
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = field.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(Substring(digits)), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
