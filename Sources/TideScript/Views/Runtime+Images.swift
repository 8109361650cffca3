import Glibc
import TideBindings
import TideLua
package import TideViews

extension Runtime {
  private static let pictureLimit = 64 << 20

  /// Lets a scene tell of errors, and read and draw what scripts want within what they may.
  package func equip(_ scene: Scene) {
    scene.onError = { [home] in home.runtime?.table.onError?($0) }
    scene.readsPicture = { [home] in try home.living().readPicture($0) }
    scene.bounds = { [home] body in
      if let runtime = home.runtime { runtime.lua.turn(body) } else { body() }
    }
  }

  /// Reads a picture that a script names: a file below the app's folder, or one that scripts may read
  /// anyway.
  func readPicture(_ source: String) throws -> [UInt8] {
    let base = folder.isEmpty ? "/" : folder
    let named = source.hasPrefix("/") ? source : base + "/" + source
    switch lua.open(named, below: base) {
    case .file(let file):
      return try ScriptFile.bytes(from: file, source, limit: Self.pictureLimit, "a PNG file")
    case .refused:
      throw TideError(
        .badImage, "\(source) is not below the app's folder; --allow read=DIR opens others")
    case .failed(let number):
      throw TideError(.badImage, "cannot open \(source): \(String(cString: strerror(number)))")
    }
  }
}
