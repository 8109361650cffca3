public import TideBindings

/// The view classes that a program knows, by name: the built-in ones and its own.
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
  /// Called when a host's class is refused because a built-in one has its name.
  package var onRefusal: (TideError) -> Void = { _ in }

  /// Starts with the classes that are built in.
  public init() {
    for builtIn in ViewClass.builtIn { known[builtIn.name] = builtIn }
  }

  /// The class of a name; UIKit's names are aliases of ours. Built-in classes cannot be replaced:
  /// assigning one has no effect, and a runtime lists that as an error.
  public subscript(name: String) -> ViewClass? {
    get { known[ViewOperator.className(name)] }
    @available(*, deprecated, message: "use register(_:_:) and remove(_:)")
    set {
      guard let newValue else { return remove(name) }
      do throws(TideError) { try register(name, newValue) } catch { onRefusal(error) }
    }
  }

  /// Adds a class of views under a name; one that was added under it before is replaced.
  ///
  /// - Throws: `duplicate` for the name of a built-in class.
  public func register(_ name: String, _ viewClass: ViewClass) throws(TideError) {
    guard !builtIn.contains(name) else {
      throw TideError(
        .duplicate,
        "the host's view class \"\(name)\" would take the place of the built-in one; "
          + "give it another name")
    }
    known[name] = viewClass.named(name)
  }

  /// Takes a class away that was added.
  public func remove(_ name: String) {
    if !builtIn.contains(name) { known[name] = nil }
  }

  /// The class of a name.
  ///
  /// - Throws: `unknownView`, with the nearest name.
  public func find(_ name: String) throws(TideError) -> ViewClass {
    if let found = self[name] { return found }
    throw TideError(
      .unknownView,
      "there is no view class \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: names))"
    )
  }

  /// Makes a view of the class of a name.
  ///
  /// - Throws: `unknownView`, with the nearest name.
  public func make(_ name: String) throws(TideError) -> View { try find(name).make() }

  /// All names, in alphabetical order.
  public var names: [String] { known.keys.sorted() }
}
