import TideBindings

/// Keeps on the disk what a runtime knows of shared models, and what it has written that is not
/// confirmed.
package protocol SharedKeeper: AnyObject {
  /// What was kept of a model.
  func load(_ model: String) throws -> (origin: SharingOrigin?, entries: [SharingKey: [UInt8]])
  /// Keeps other entries; nil for those that are gone.
  func save(_ model: String, _ origin: SharingOrigin?, _ entries: [SharingKey: [UInt8]?]) throws
}

extension Runtime {
  /// Where shared models are kept: the first database that the app opens.
  package var sharedKeeper: (any SharedKeeper)? {
    get { declarations.sharedKeeper }
    set {
      declarations.sharedKeeper = newValue
      for model in declarations.sharedModels.values { model.beginKeeping() }
    }
  }
}
