package import TideBindings
package import TideLua

/// A loaded script file: its value, the objects it owns, and the modules it requires.
///
/// It is the unit of reload. A new version of a file is another module, which replaces the old one
/// when the reload commits.
package final class Module {
  /// The name for `require`; empty for the main script.
  package let name: String
  package let path: String
  /// Whether it came from a searcher of the host, so that there is no file at its path.
  package let isGiven: Bool
  /// Owns everything that the file makes.
  package let context: BindingContext
  package let hot: HotState
  /// The result of `require`.
  package internal(set) var value: LuaValue = .boolean(true)
  /// Whether its body is running, to detect circular requires.
  package internal(set) var isLoading = true
  /// Whether its body has run, or has started without failing.
  var hasRun = false
  /// The names of the modules that it has required.
  package internal(set) var required: Set<String> = []
  /// The previous version, during a reload.
  package internal(set) var former: Module?

  // Declarations by name.
  package internal(set) var models: [String: SourceLocation?] = [:]
  package internal(set) var components: Set<String> = []
  package internal(set) var transformers: Set<String> = []
  /// In creation order.
  var controllers: [ControllerDeclaration] = []
  /// Named resources and streams, which persist over reloads.
  var liveObjects: [NamedLiveObject] = []
  /// The source text, for comparison with a new version.
  var text: String?
  var globals: Set<String> = []
  var classes: [String: ScriptClass] = [:]
  /// Classes of the previous version that have not been declared again yet.
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
  /// Completes the reload for this module.
  package func commit() {
    former = nil
    formerClasses = [:]
  }
}
