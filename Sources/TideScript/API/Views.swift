import TideBindings
import TideGraph
import TideLua
package import TideViews

/// The views of an app, and the view classes of its scripts.
package final class ScriptViews {
  let classes = ViewClasses()
  /// The components that the app has defined.
  package var components: [String: Component] = [:]
  var scene: Scene?
  /// The module that has shown the view.
  package var showingModule: String?
  var onShow: ((Scene) -> Void)?
  /// Collects the builders of subviews while a function makes them.
  var collection: MakingCollection?
  /// Change counters for the ids that computed values, effects and bindings have looked up.
  var followedIDs: [String: Signal<Int>] = [:]
  /// Ids that several views had, which are checked again when their views change.
  var duplicateIDs: Set<String> = []
  /// Ids of views that have been added or got their id since duplicates were last searched for.
  var idsToCheck: Set<String> = []
  /// Changes when there are ids to check.
  var idChecks: Signal<Int>?
  /// Searches for duplicates when there are ids to check.
  var idEffect: Effect?
  /// While the main script runs, errors about missing views. The script may still show those views.
  var viewsToShow: [TideError]?
  var questions = Questions()
}

extension Runtime {
  /// Members of `view` that are not view classes.
  package static let viewMakers = [APIEntry.viewComponent, .viewPlaceholders].map(\.memberName)

  /// Connects a scene to this runtime: its errors are listed, its images are read with the rights
  /// of scripts, and each frame is one turn.
  package func configure(_ scene: Scene) {
    scene.host.quit = { [home] in home.runtime?.exit(130) }
    scene.host.title = ending.app.title
    scene.host.now = { [loop] in loop.now() }
    scene.onError = { [home] error in
      guard let runtime = home.runtime else { return }
      // The rows themselves list their errors.
      if error.entry == 0 { runtime.list(error) } else { runtime.table.tell(of: error) }
    }
    scene.host.readImage = { [home] in try home.requireRuntime().readPicture($0) }
    let site = CallSite(in: context)
    scene.host.executeCommand = { [home] in
      try home.requireRuntime().execute($0, $1, of: $2, at: site)
    }
    scene.host.runWithinBudget = { [home] in home.runWithinBudget($0) }
    if scene === self.scene { followInput() }
  }

  func installViews() throws {
    let metatable = try lua.table(["__metatable": false, "__name": "view"])
    var constructors: [String: LuaFunction] = [:]
    let placeholders = try placeholdersFunction()
    let component = try componentFunction()
    try metatable.rawSet(
      "__index",
      .function(
        function(named: "view") { [unowned self] call in
          let name = try name(call, of: "view")
          if name == "placeholders" { return call.return(.function(placeholders)) }
          if name == "component" { return call.return(.function(component)) }
          _ = try viewClass(named: name)
          if let known = constructors[name] { return call.return(.function(known)) }
          let made = try function("view.\(name)(fields)") { [unowned self] call in
            let fields = call.isNil(0) ? nil : try call.table(0)
            // Looked up at each call, since a reload may have declared the component again.
            try call.return(luaValue(makeView(viewClass(named: name), fields)))
          }
          constructors[name] = made
          call.return(.function(made))
        }))
    try publishReadOnly("view", metatable) { "view.\($0) cannot be assigned to" }
    try installViewFinder()
    try define(.show) { [unowned self] call in try show(self.view(call, 0)) }
  }

  private func installViewFinder() throws {
    let metatable = try lua.table(["__metatable": false, "__name": "views"])
    try metatable.rawSet(
      "__index",
      .function(
        function(named: "views") { [unowned self] call in
          let id = try name(call, of: "views")
          follow(id: id)
          guard let found = self.view(withID: id) else {
            throw TideError(
              .unknownView,
              "no shown view has the id \"\(id.inMessage)\"\(NearestName.hint(for: id, in: followedViewIDs(), areOrdered: false))"
            )
          }
          // The lookup is recorded as a read of the view's name.
          _ = found[.id]
          try call.return(luaValue(found))
        }))
    try publishReadOnly("views", metatable) {
      "views are found by their ids; give the view id = \"\($0)\""
    }
  }

  func view(_ call: borrowing LuaCall, _ index: Int) throws -> View {
    guard let view = call.object(index)?.dataObject as? View else {
      throw call.wrongType(index, "view")
    }
    return view
  }

  /// Shows a view in place of the current one. During a reload, the view is shown at the commit.
  package func show(_ view: View) throws {
    if scene != nil, let rollback = loader.rollback {
      rollback.shown = view
      idsChanged()
    } else if let scene {
      try scene.show(view)
    } else {
      scene = try Scene(root: view)
      keepUndo { [unowned self] in scene = nil }
      if !views.followedIDs.isEmpty || views.idChecks != nil {
        followIDs()
        idsChanged()
      }
    }
    let before = views.showingModule
    views.showingModule = modules.module(of: context)?.name
    keepUndo { [unowned self] in views.showingModule = before }
    resolveNames()
    if let scene { onShow?(scene) }
  }

  /// The root of the search for ids.
  var topView: View? {
    guard let rollback = loader.rollback else { return scene?.window }
    return rollback.shown ?? (rollback.hidesOldViews ? nil : scene?.window)
  }

  package func view(withID id: String) -> View? {
    graph.untracked {
      guard let top = topView else { return nil }
      return top[.id] == id ? top : top.find(id)
    }
  }

  /// Reports missing views, now that the main script has shown its view.
  func tellOfMissingViews() {
    let found = Set((views.viewsToShow ?? []).map(\.identity))
    views.viewsToShow = nil
    if found.isEmpty { return }
    for error in table.errors where found.contains(error.identity) { tell(error) }
  }

  /// The ids of all shown views, sorted.
  package var viewIDs: [String] { unsortedViewIDs.sorted() }

  var unsortedViewIDs: [String] { graph.untracked { followedViewIDs() } }

  /// The ids of all shown views. Recorded as a read, since any view may get the id.
  private func followedViewIDs() -> [String] {
    guard let top = topView else { return [] }
    var found: [String] = []
    var stack: [View] = [top]
    while let view = stack.popLast() {
      if let id = view[.id] { found.append(id) }
      stack.append(contentsOf: graph.untracked { view.subviews })
    }
    return found
  }

  // MARK: Following

  /// The most ids that are tracked individually; all further ids share one counter.
  private static let mostFollowedIDs = 1000

  /// Records a lookup of an id as a dependency of the running computation.
  func follow(id: String) {
    let key =
      views.followedIDs.count < Self.mostFollowedIDs || views.followedIDs[id] != nil ? id : ""
    let version = views.followedIDs[key] ?? graph.signal(0)
    if views.followedIDs.isEmpty { followIDs() }
    views.followedIDs[key] = version
    _ = version.value
  }

  func followIDs() {
    scene?.host.onID = { [home] id, view in
      guard let runtime = home.runtime else { return }
      let version = runtime.views.followedIDs[id] ?? runtime.views.followedIDs[""]
      if let version { runtime.graph.untracked { version.value &+= 1 } }
      if !view.isRemoved { runtime.noteID(id, of: view) }
    }
  }

  /// Invalidates all lookups by id.
  private func idsChanged() {
    if views.followedIDs.isEmpty { return }
    graph.untracked {
      graph.batch { for version in views.followedIDs.values { version.value &+= 1 } }
    }
  }
}

extension Runtime {
  /// `view.placeholders("label", { text = { noSelection = "Nobody", multipleValues = "Several" }
  /// })`
  func placeholdersFunction() throws -> LuaFunction {
    try function(APIEntry.viewPlaceholders.signature) { [unowned self] call in
      let viewClass = try viewClasses.find(call.name(0, "a view class's name"))
      for (key, value) in try call.table(1).entries() {
        guard case .string(let property) = key, let given = value.table else {
          throw TideError(
            .badArgument,
            "view.placeholders maps properties to placeholders, as text = { noSelection = \"–\" }")
        }
        let shown = try shown(given)
        try charge(shown.textBytes + property.utf8.count)
        try context.setPlaceholders(shown, of: viewClass.shape, property)
      }
    }
  }

  private func shown(_ given: LuaTable) throws -> DefaultPlaceholders {
    let known = ["null", "noSelection", "multipleValues", "notApplicable"]
    let options = try CallOptions(given, of: "view.placeholders", known)
    func value(_ name: String) throws -> Value? {
      let value = try options.value(name)
      return value.isNil ? nil : try self.value(from: value)
    }
    return DefaultPlaceholders(
      null: try value("null"), noSelection: try value("noSelection"),
      multipleValues: try value("multipleValues"), notApplicable: try value("notApplicable"))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let view = APIEntry(
    "view", usage: "view.label { … }", "Makes views; the name is that of the class.",
    "@class tidelock.ViewMaker")

  static let viewPlaceholders = APIEntry(
    "view.placeholders(class, placeholders)",
    "What the properties of a class show in place of markers.",
    """
    @param class tidelock.ViewClassName
    @param placeholders table<tidelock.ViewPropertyName, tidelock.Placeholders>
    """)

  static let views = APIEntry(
    "views", usage: "views.id",
    "The shown views by their ids.",
    """
    @type tidelock.Views
    """)

  static let show = APIEntry(
    "show(view)",
    "Shows a view.",
    """
    @param view tidelock.View
    """)
}

extension APISection {
  static let views = APISection(
    article: "Views",
    entries: [.view, .viewComponent, .viewPlaceholders, .views, .show],
    types: """
      ---What a property shows in place of a value.
      ---@class tidelock.Placeholders
      ---@field null? any
      ---@field noSelection? any
      ---@field multipleValues? any
      ---@field notApplicable? any
      """)

  /// The methods of all views, for the definition of their class.
  package static let viewMethods = """
    local View = {}
    ---Adds a subview, at the end or at a position.
    ---@param view tidelock.View
    ---@param index? integer
    ---@return tidelock.View
    function View:add(view, index) end
    ---Removes the view from its superview.
    function View:remove() end
    ---Moves the view to another position of its superview.
    ---@param index integer
    function View:move(index) end
    ---Puts another view in its place, and gives that.
    ---@param view tidelock.View
    ---@return tidelock.View
    function View:replace(view) end
    ---Gives the first view inside with an id, a tag, a class or a key.
    ---@param what string|{ tag?: integer, class?: string, key?: any }
    ---@return tidelock.View?
    function View:find(what) end
    ---Gives the view the focus; gives whether it has it.
    ---@return boolean
    function View:focus() end
    ---Sends a control event of the view, as a person would cause it.
    ---@param event tidelock.EventName
    ---@param value? any
    ---@return boolean
    function View:send(event, value) end
    ---Gives what the view shows, as text.
    ---@param width? integer
    ---@param height? integer
    ---@return string
    function View:snapshot(width, height) end
    ---Scrolls the rows of a list, table, tree or collection.
    ---@param index integer
    function View:scrollTo(index) end
    ---Opens a row of a tree.
    ---@param index integer
    ---@param all? boolean
    function View:expand(index, all) end
    ---Closes a row of a tree.
    ---@param index integer
    function View:collapse(index) end
    ---Submits a form; whether all was right in it.
    ---@return boolean
    function View:submit() end
    ---Takes back what was typed in a form and the model does not have.
    function View:reset() end

    """
}
