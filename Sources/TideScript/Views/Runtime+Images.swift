import TideBindings
import TideLua
import TideSystem
import TideViews

extension Runtime {
  private static let pictureLimit = 64 << 20

  /// Reads a picture that a script names: a file below the app's folder, or one that scripts may
  /// read anyway.
  func readPicture(_ source: String) throws -> [UInt8] {
    let base = folder.isEmpty ? "/" : folder
    let named = source.hasPrefix("/") ? source : base + "/" + source
    switch lua.open(named, below: base) {
    case .file(let file):
      return try ScriptFile.bytes(from: file, source, limit: Self.pictureLimit, "a PNG file")
    case .refused:
      let remedy =
        configuration.lua.access.namesFlags
        ? "--allow read=DIR opens others" : "the host can allow read=DIR"
      throw TideError(.badImage, "\(source) is not below the app's folder; \(remedy)")
    case .failed(let number):
      throw TideError(.badImage, "cannot open \(source): \(String(cString: strerror(number)))")
    }
  }
}
