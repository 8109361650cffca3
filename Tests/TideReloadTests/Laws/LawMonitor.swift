import Foundation
import TideScript

@testable import Monitor

/// The example whose models a host gives.
enum LawMonitor {
  static let app: LawApp? = {
    var app = LawApp.example("monitor")
    guard let folder = app.assets else { return nil }
    app.make = { path, configuration in
      let dashboard = try Dashboard(
        app: URL(filePath: path),
        source: .recorded(in: folder.appending(path: "recorded").path),
        configuration: configuration)
      dashboard.step(every: 1)
      return (dashboard.runtime, dashboard)
    }
    return app
  }()
}
