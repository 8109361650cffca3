public import TideBindings

/// The registry of view classes, by name: the built-in ones and those of the host program.
///
/// ```swift
/// let classes = ViewClasses()
/// try classes.register("gauge", ViewClass(properties: ["level": .number(default: 0)]))
/// let gauge = try classes.make("gauge")
/// try classes.find("UILabel").name     // "label"
/// ```
public final class ViewClasses {
  private var known: [String: ViewClass] = [:]
  private let builtIn = Set(ViewClass.builtIn.map(\.name))
  /// Called when a host's class is refused because it has the name of a built-in class.
  package var onRefusal: (TideError) -> Void = { _ in }

  /// Makes a registry of the built-in classes.
  public init() {
    for builtIn in ViewClass.builtIn { known[builtIn.name] = builtIn }
  }

  /// The class with a name; UIKit's names are aliases. Built-in classes cannot be replaced: an
  /// assignment to one has no effect, and a runtime lists it as an error.
  public subscript(name: String) -> ViewClass? {
    get { known[ViewOperator.className(name)] }
    @available(*, deprecated, message: "use register(_:_:) and remove(_:)")
    set {
      guard let newValue else { return remove(name) }
      do throws(TideError) { try register(name, newValue) } catch { onRefusal(error) }
    }
  }

  /// Registers a view class under a name and replaces a host's class of the same name.
  ///
  /// - Throws: `duplicate` if a built-in class has the name.
  public func register(_ name: String, _ viewClass: ViewClass) throws(TideError) {
    guard !builtIn.contains(name) else {
      throw TideError(
        .duplicate,
        "the host's view class \"\(name)\" would take the place of the built-in one; "
          + "give it another name")
    }
    known[name] = viewClass.named(name)
  }

  /// Removes a registered class; built-in classes stay.
  public func remove(_ name: String) {
    if !builtIn.contains(name) { known[name] = nil }
  }

  /// The class with a name.
  ///
  /// - Throws: `unknownView`, with the nearest known name.
  public func find(_ name: String) throws(TideError) -> ViewClass {
    if let found = self[name] { return found }
    throw TideError(
      .unknownView,
      "there is no view class \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: names))"
    )
  }

  /// Makes a view of the class with a name.
  ///
  /// - Throws: `unknownView`, with the nearest known name.
  public func make(_ name: String) throws(TideError) -> View { try find(name).make() }

  /// All names, in alphabetical order.
  public var names: [String] { known.keys.sorted() }
}
