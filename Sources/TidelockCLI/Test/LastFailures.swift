import FoundationEssentials
import TideSystem
import TideTest
import TideValues

/// The file in the user's state folder that lists the tests of a project that failed last.
///
///     ~/.local/state/tidelock/tests/fruit-1a2b3c4d
///
/// The file stays open, so that it can be written after the process is confined.
final class LastFailures: Sendable {
  private let descriptor: Int32
  private let known: Guarded<FailedTests>

  /// The size limit of the file in bytes; longer files are not read.
  private static let largest = 4 << 20

  var tests: FailedTests { known.withLock { $0 } }

  /// - Returns: nil if there is no state folder, or if the file cannot be opened.
  init?(ofProject folder: String) {
    guard let path = SettingsFolder.path(ofTestsIn: folder) else { return nil }
    try? FileManager.default.createDirectory(
      atPath: SystemPath.folder(of: path), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
    let file = open(path, flags, 0o600)
    guard file >= 0 else { return nil }
    descriptor = file
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    known = Guarded(FailedTests(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)))
  }

  deinit { close(descriptor) }

  /// Saves the failed tests.
  func save(_ tests: FailedTests) {
    known.withLock { known in
      if known == tests { return }
      known = tests
      var text = tests.text
      guard text.utf8.count <= Self.largest, ftruncate(descriptor, 0) == 0 else { return }
      // If writing fails, all tests run next time.
      _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }
}
