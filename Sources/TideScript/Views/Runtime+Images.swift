import Glibc
import TideBindings
import TideLua
import TideViews

extension Runtime {
  private static let pictureLimit = 64 << 20

  /// Reads a picture that a script names: a file below the app's folder, or one that scripts may read
  /// anyway.
  func readPicture(_ source: String) throws -> [UInt8] {
    let base = folder.isEmpty ? "/" : folder
    let named = source.hasPrefix("/") ? source : base + "/" + source
    guard let file = resolved(named) else {
      throw TideError(.badImage, "cannot open \(source): \(String(cString: strerror(errno)))")
    }
    let allowed = [base] + configuration.lua.access.read
    guard allowed.contains(where: { resolved($0).map { file.isBelow($0) } ?? false }) else {
      throw TideError(
        .badImage, "\(source) is not below the app's folder; --allow read=DIR opens others")
    }
    return try ScriptFile.bytes(of: file, limit: Self.pictureLimit, "a PNG file")
  }

  private func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

extension String {
  fileprivate func isBelow(_ folder: String) -> Bool {
    folder == "/" || hasPrefix(folder + "/")
  }
}
