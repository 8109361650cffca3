import Foundation
import TideScript

/// The apps that the articles show: each script that shows a view, and loads by itself without an
/// error.
enum LawArticles {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  static let apps: [LawApp] = {
    var apps: [LawApp] = []
    for folder in ["Tidelock/Tidelock.docc", "TideREPL/TideREPL.docc"] {
      let path = sources.appending(path: folder).path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      for name in names.sorted() where name.hasSuffix(".md") {
        let text = (try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? ""
        for (number, script) in scripts(in: text).enumerated() {
          let app = LawApp(name: "\(name) \(number)", files: ["app.lua": script])
          if let run = try? LawRun(app), run.runtime.scene != nil, run.runtime.errors.isEmpty {
            apps.append(app)
          }
        }
      }
    }
    return apps
  }()

  /// Timers and tasks begin anew, and files are none of theirs.
  private static let excluded = [
    "every(", "after(", "sleep(", "async", "require", "exit", "assert",
  ]

  private static func scripts(in text: String) -> [String] {
    text.split(separator: "```lua").dropFirst().compactMap { part in
      guard let end = part.range(of: "\n```") else { return nil }
      let script = part[..<end.lowerBound].drop { !$0.isNewline }
      let shows = script.contains("return view.") || script.contains("show(view")
      guard shows, !excluded.contains(where: { script.contains($0) }) else { return nil }
      return String(script)
    }
  }
}
