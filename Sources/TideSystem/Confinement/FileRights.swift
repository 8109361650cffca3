/// Access rights to files below a folder (Landlock's access rights).
struct FileRights: OptionSet {
  let rawValue: UInt64

  static let execute = bit(0)
  static let writeFile = bit(1)
  static let readFile = bit(2)
  static let readFolder = bit(3)
  static let removeFolder = bit(4)
  static let removeFile = bit(5)
  static let makeDevice: Self = [bit(6), bit(11)]
  static let makeFolder = bit(7)
  static let makeFile = bit(8)
  static let makeSocket = bit(9)
  static let makePipe = bit(10)
  static let makeLink = bit(12)
  /// Since version 2; version 1 never allows moving a file to another folder.
  static let moveBetweenFolders = bit(13)
  /// Since version 3.
  static let truncate = bit(14)
  /// Since version 5.
  static let controlDevice = bit(15)

  static let read: Self = [.readFile, .readFolder]
  /// Excludes links: a link made by a script could mislead unconfined programs.
  static let write: Self = [
    .writeFile, .truncate, .makeFile, .makeFolder, .removeFile, .removeFolder, .moveBetweenFolders,
  ]
  static let useDevice: Self = [.readFile, .writeFile, .controlDevice]

  /// All rights known to a Landlock version. They are refused unless a rule allows them.
  static func known(toVersion version: Int32) -> Self {
    var all = Self(rawValue: (1 << 13) - 1)
    if version >= 2 { all.insert(.moveBetweenFolders) }
    if version >= 3 { all.insert(.truncate) }
    if version >= 5 { all.insert(.controlDevice) }
    return all
  }

  init(rawValue: UInt64) { self.rawValue = rawValue }
  private static func bit(_ number: UInt64) -> Self { Self(rawValue: 1 << number) }
}

/// Rights to a path and everything below it.
struct FileRule: Equatable {
  let path: String
  let rights: FileRights

  init(_ path: String, _ rights: FileRights) {
    self.path = path
    self.rights = rights
  }

  /// What every program needs: terminal descriptions, time zones, message catalogues of the C
  /// library, and shared libraries that are loaded late.
  ///
  /// - Parameter environment: returns an environment variable's value.
  static func system(_ environment: (String) -> String?) -> [FileRule] {
    let home = environment("HOME")
    let readable = [
      "/etc/terminfo", "/usr/share/terminfo", home.map { $0 + "/.terminfo" },
      environment("TERMINFO"),
      "/etc/localtime", "/usr/share/zoneinfo", environment("TZDIR"),
      "/usr/share/locale", "/lib", "/lib64", "/usr/lib", "/usr/local/lib", "/etc/ld.so.cache",
      "/dev/urandom", "/sys/devices/system/cpu",
    ]
    let folders = environment("TERMINFO_DIRS")?.split(separator: ":").map(String.init) ?? []
    let devices = ["/dev/null", "/dev/tty"]
    return (readable.compactMap { $0 } + folders).filter { $0.hasPrefix("/") }
      .map { FileRule($0, .read) } + devices.map { FileRule($0, .useDevice) }
  }

  /// Further files that started programs need: executables, libraries, system data and settings,
  /// and information about processes and devices. Includes no user files.
  static let programs: [FileRule] =
    [
      "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/gnu", "/snap",
      "/run/current-system",
    ].map { FileRule($0, [.read, .execute]) }
    + ["/etc", "/proc", "/sys"].map { FileRule($0, .read) }
    + ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"]
    .map { FileRule($0, .useDevice) }

  /// Files for name resolution and certificate checks; excludes private keys, which may be stored
  /// nearby.
  static let network: [FileRule] = [
    "/etc/resolv.conf", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager",
    "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services",
    "/etc/protocols", "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf",
    "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/ca-certificates",
    "/etc/pki/ca-trust", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf", "/etc/gnutls", "/etc/crypto-policies",
  ].map { FileRule($0, .read) }
}
