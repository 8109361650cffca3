import TideBindings
import TideREPL
import TideScript
import TideSystem

/// Profiles a run, and writes the results as the options request.
final class ProfileOutput {
  private let options: ProfileOptions
  private let picture: PictureFile?
  private let speedscope: PictureFile?
  private var measuring: ProfileSession?

  /// Opens the files before confinement, because their folders may become inaccessible.
  init(_ options: ProfileOptions, behind wall: AppConfinement) {
    self.options = options
    picture = options.svg.map { PictureFile($0) }
    speedscope = options.speedscope.map { PictureFile($0) }
    for file in [picture, speedscope] { if let file { wall.write(file) } }
  }

  func begin(_ runtime: Runtime) throws { measuring = try ProfileSession(runtime) }

  /// Ends the profile. Returns the table, or JSON lines, and an error if a file could not be
  /// written.
  func end(isJSON: Bool) -> (text: String, failure: TideError?) {
    guard let report = measuring?.end() else { return ("", nil) }
    measuring = nil
    // A script that could not be loaded has run nothing.
    if report.nodes.isEmpty { return ("", nil) }
    var failure: TideError?
    for (file, text) in [(picture, report.flameGraph), (speedscope, report.speedscope)] {
      guard let file else { continue }
      let reason = file.write(text)
      if reason == 0 { continue }
      failure = TideError(
        .output, "\"\(file.path.inMessage)\" cannot be written: \(SystemText.of(reason))")
    }
    if options.top == 0 { return ("", failure) }
    let text =
      isJSON ? report.jsonLines.joined(separator: "\n") : report.table(most: options.top)
    return (text, failure)
  }
}
