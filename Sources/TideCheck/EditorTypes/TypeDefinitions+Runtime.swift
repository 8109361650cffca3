import TideScript

extension TypeDefinitions {
  /// Events, time, views as values, reload, logging and the markers.
  static let runtime = """
    ---A control event on its way.
    ---@class tidelock.Event
    ---@field name string
    ---@field sender tidelock.View
    ---@field key? string
    ---@field value? any
    ---@field index? integer of a row
    ---@field target? integer where a row is moved to
    ---@field cell? tidelock.View

    ---Calls a function, or executes a command, on a control event.
    ---@param view tidelock.View
    ---@param event tidelock.EventName|"*"
    ---@param fn tidelock.DataObject|fun(sender: tidelock.View, event: tidelock.Event): any
    ---@param options? { initial?: boolean }
    ---@return tidelock.Handle
    ---@overload fun(app: tidelock.App, event: "willQuit", fn: fun(app: tidelock.App): boolean?): tidelock.Handle
    function on(view, event, fn, options) end

    ---The running app. `on(app, "willQuit", fn)` is asked before it ends; false has it stay.
    ---@class tidelock.App
    app = {}

    ---@class tidelock.Note
    ---@field name string
    ---@field sender? any
    ---@field info? any

    notification = {}
    ---@param name string
    ---@param sender? any
    ---@param info? any
    function notification.post(name, sender, info) end
    ---@param name string
    ---@param sender any
    ---@param fn fun(note: tidelock.Note)
    ---@return tidelock.Handle
    ---@overload fun(name: string, fn: fun(note: tidelock.Note)): tidelock.Handle
    function notification.observe(name, sender, fn) end

    ---Calls a function once, later.
    ---@param seconds number
    ---@param fn function
    ---@return tidelock.Handle
    function after(seconds, fn) end

    ---Calls a function again and again.
    ---@param seconds number
    ---@param fn function
    ---@return tidelock.Handle
    function every(seconds, fn) end

    ---@class tidelock.Task
    ---@field state string
    local Task = {}
    function Task:cancel() end

    ---Starts a task that may wait.
    ---@param fn function
    ---@param ... any
    ---@return tidelock.Task
    function spawn(fn, ...) end

    ---Waits for a task and gives its results.
    ---@param task tidelock.Task
    ---@return any ...
    function await(task) end

    ---Waits.
    ---@param seconds number
    function sleep(seconds) end

    ---Seconds since the epoch.
    ---@return number
    function now() end

    ---Ends the app, after whoever observes "willQuit" of `app` was asked.
    ---@param code? integer
    function exit(code) end

    ---Shows a view.
    ---@param view tidelock.View
    function show(view) end

    ---The shown views by their ids.
    ---@type tidelock.Views
    views = {}

    ---@class tidelock.Hot
    ---@field data table
    ---@field reloads integer
    hot = {}
    ---@param fn function
    function hot.dispose(fn) end
    ---@param fn function
    function hot.accept(fn) end

    log = {}
    ---@param message any
    ---@param fields? table
    function log.trace(message, fields) end
    ---@param message any
    ---@param fields? table
    function log.debug(message, fields) end
    ---@param message any
    ---@param fields? table
    function log.info(message, fields) end
    ---@param message any
    ---@param fields? table
    function log.notice(message, fields) end
    ---@param message any
    ---@param fields? table
    function log.warning(message, fields) end
    ---@param message any
    ---@param fields? table
    function log.error(message, fields) end

    ---@class tidelock.Cause
    ---@field path string
    ---@field old? any
    ---@field new any
    ---@field cause string
    ---@field location? string

    ---The chain of causes that put a value where it is.
    ---@param object tidelock.DataObject|tidelock.List
    ---@param path string
    ---@return tidelock.Cause[]
    function why(object, path) end

    ---Readable text of any value.
    ---@param value any
    ---@return string
    function dump(value) end

    ---Another script below the app's folder.
    ---@param name string
    ---@return any
    function require(name) end

    ---What followed -- on the command line.
    ---@type string[]
    arg = {}

    ---@class tidelock.Marker

    ---Stands for nil in lists.
    ---@type tidelock.Marker
    null = {}
    ---What a transformer gives to write nothing.
    ---@type tidelock.Marker
    unchanged = {}
    ---What a controller shows where nothing is selected.
    ---@type tidelock.Marker
    NoSelection = {}
    ---What a controller shows where the selected differ.
    ---@type tidelock.Marker
    MultipleValues = {}
    ---What a controller shows where a path leads nowhere.
    ---@type tidelock.Marker
    NotApplicable = {}

    """
}
