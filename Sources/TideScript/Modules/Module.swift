package import TideBindings
package import TideLua

/// A script file that the app has loaded: what it gave, what belongs to it, and what it needs.
///
/// It is the unit of reloading: a new version of a file is another module, which takes the place of
/// the old one when it has turned out good.
package final class Module {
  /// As `require` names it; the main script's is empty.
  package let name: String
  package let path: String
  /// Whether a searcher of the host's has given it: there is no file at its path.
  package let isGiven: Bool
  /// Everything that the file makes ends with it.
  package let context: BindingContext
  package let hot: HotState
  /// What `require` gives.
  package internal(set) var value: LuaValue = .boolean(true)
  /// True while its body runs, so that a loop of `require` is found.
  package internal(set) var isLoading = true
  /// Whether its body has been run, or at least begun and not failed.
  var hasRun = false
  /// The names of the modules that it has required.
  package internal(set) var required: Set<String> = []
  /// The version before, while this one is tried.
  package internal(set) var former: Module?

  // What scripts declare by name.
  package internal(set) var models: [String: SourceLocation?] = [:]
  package internal(set) var components: Set<String> = []
  package internal(set) var transformers: Set<String> = []
  /// In the order in which they were made.
  var controllers: [ControllerDeclaration] = []
  /// Resources and streams with a name, which go on over reloads.
  var liveObjects: [NamedLiveObject] = []
  /// The text that was run, as long as it may be compared with that of a new version.
  var text: String?
  var globals: Set<String> = []
  var classes: [String: ScriptClass] = [:]
  /// Those of the version before that have not been declared again so far.
  var formerClasses: [String: ScriptClass] = [:]

  init(
    _ name: String, path: String, isGiven: Bool = false, in table: BindingTable,
    former: Module? = nil
  ) {
    self.name = name
    self.path = path
    self.isGiven = isGiven
    self.former = former
    context = BindingContext(name.isEmpty ? path : name, in: table)
    hot = HotState(after: former?.hot)
    formerClasses = former?.classes ?? [:]
  }

  package var isMain: Bool { name.isEmpty }
}

extension Module {
  /// Makes the new version the only one.
  package func commit() {
    former = nil
    formerClasses = [:]
  }
}
