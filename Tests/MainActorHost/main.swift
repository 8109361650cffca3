// A host whose code belongs to the main actor by default: its models need no annotation.

import Tidelock

final class Settings: DataObject {
  @Property var title = "quiet"
  @Property(validate: { $0 >= 0 ? .accept : .refuse("less than nothing") }) var volume = 5
  @Computed({ (s: Settings) in "\(s.title) at \(s.volume)" }) var caption: String
  var isKnown = false

  convenience init(volume: Int) {
    self.init()
    self.volume = volume
    isKnown = true
  }
}

/// A class of the main actor's that keeps models and bindings.
final class Panel {
  private let context = BindingContext()
  let settings = Settings(volume: 3), shown = Settings()

  func begin() throws {
    try context.bind(settings, \.caption, to: shown, \.title)
    context.bind(settings.$volume, to: shown.$volume)
  }
}

let panel = Panel()
try panel.begin()
panel.settings.volume = 7
print(panel.shown.title, panel.shown.volume)
