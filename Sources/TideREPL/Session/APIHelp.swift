/// What each name of the Lua API stands for, in one line.
enum APIHelp {
  static func text(for name: String) -> String? { lines[name] }
  static var names: [String] { lines.keys.sorted() }

  private static let lines: [String: String] = {
    var lines: [String: String] = [:]
    for line in all.split(separator: "\n") {
      let parts = line.split(separator: "|", maxSplits: 1).map {
        $0.drop { $0 == " " }
      }
      guard parts.count == 2 else { continue }
      let usage = parts[0].reversed().drop { $0 == " " }.reversed()
      let name = usage.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
      lines[String(name)] = "\(String(usage))  \(parts[1])"
    }
    return lines
  }()

  private static let all = """
    model "name" { … } | a named data object, kept across reloads
    models.name | a model, wherever it was declared
    object { … } | an anonymous data object
    class "Name" { … } | a constructor of data objects; class("Name", Base) inherits
    isa(o, Class) | whether an object is of a class, by the class or its name
    property { default =, type = } | a declared property of an object or a class
    computed(get [, set]) | a property that follows what its function reads
    list { … } | an observable, ordered list
    dict { … } | an observable map from texts to values
    properties(o) | an iterator of name, value and type
    ref(o, path, …) | a data object whose value stands in for a property, transformed
    observe(o, path, fn [, options]) | calls fn(new, old, change) when a property changes
    effect(fn) | runs fn now and whenever something it read changes
    batch(fn) | settles once, when fn has ended
    untracked(fn) | reads without depending on what is read
    bind("a.b -> c.d", …) | connects two properties; <> both ways
    binding "a <> b" | a binding that gets its ends later, by :connect(left, right)
    unbind(o [, path]) | ends bindings
    bindings([o]) | the living bindings
    errors([options]) | what has failed and still does; errors { editing = true }: what people mistyped
    transformer(name, fn) | a transformer that expressions name after |
    trigger.change(o, path) | fires when a path changes
    trigger.notification(name) | fires when a notification is posted
    trigger.event(view, event) | fires on a control event
    trigger.call(o, method) | fires after a method was called
    trigger.every(seconds) | fires on a timer
    trigger.manual() | fires on binding:fire() alone
    on(view, event, fn) | calls fn(sender, event) on a control event
    app | the running app: on(app, "willQuit", fn) is asked before it ends; false has it stay
    notification.post(name, sender, info) | tells all observers of a name
    notification.observe(name, fn) | hears of a name
    after(seconds, fn) | calls fn once, later
    every(seconds, fn) | calls fn again and again
    spawn(fn, …) | starts a task that may wait
    await(task) | waits for a task and gives its results
    sleep(seconds) | waits
    now() | seconds since the epoch
    exit([code]) | ends the app
    context(name, fn) | runs fn with a context open, which ends as one
    controller.list { … } | selection, sorting and filtering between a list and views
    controller.object { … } | an object that is edited
    controller.tree { … } | a tree with a selection
    controller.dictionary { … } | a map as rows
    controller.settings { … } | values that a file keeps
    view.label { … } | makes a view; the name is its class
    views.id | a shown view by its id
    show(view) | shows a view
    log.info(message, fields) | writes to the host's log; also trace, debug, notice, warning, error
    why(o, path) | the causes that put a value where it is
    dump(value) | readable text of any value
    require "name" | another script below the app's folder
    arg | what followed -- on the command line
    null | stands for nil in lists
    unchanged | what a transformer gives to write nothing
    NoSelection | what a controller shows where nothing is selected
    MultipleValues | what a controller shows where the selected differ
    NotApplicable | what a controller shows where a path leads nowhere
    """
}
