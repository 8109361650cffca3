public import TideCheck

extension SpecVocabulary {
  /// The vocabulary of busted and of this runner.
  public static let tidelock = SpecVocabulary(
    words: words, libraryWords: libraryWords,
    definitions: definitions + AssertionGrammar.definitions, assertions: .tidelock)

  /// Hints for scripts that require modules available only to specs, by the first part of the
  /// module's name.
  package static let moduleHints = [
    "busted": "tidelock test runs specs", "luassert": "tidelock test runs specs",
  ]

  private static let words = [
    "describe", "insulate", "expose", "it", "spec", "test", "pending", "before_each", "after_each",
    "setup", "teardown", "lazy_setup", "lazy_teardown", "strict_setup", "strict_teardown",
    "finally", "randomize", "async", "done", "spy", "stub", "mock", "match", "ui", "clock",
    "forall",
    "gen",
  ]

  private static let libraryWords = [
    "file", "assert", "io", "os", "debug", "package", "dofile", "loadfile", "busted", "say",
    "luassert", "bit32", "unpack", "loadstring", "setfenv", "getfenv", "jit", "module", "newproxy",
  ]

  private static let definitions = """
    ---Drives the app as a person does.
    ---@class tidelock.spec.ui
    ui = {}
    ---Shows a view, or runs an app's file and shows what it shows.
    ---@param what tidelock.View|string
    ---@param options? string|{ size?: string, arg?: string[] }
    ---@return tidelock.View
    function ui.mount(what, options) end
    ---Presses the left button on a view and lets it go.
    ---@param view tidelock.View|string
    ---@param held? string what is held meanwhile, as `"Shift"` or `"Ctrl"`
    function ui.tap(view, held) end
    ---Presses the left button twice in quick succession.
    ---@param view tidelock.View|string
    ---@param held? string
    function ui.doubleClick(view, held) end
    ---Drags a view with the left button: so many columns and rows, or over another view.
    ---@param view tidelock.View|string
    ---@param to integer|tidelock.View|string
    ---@param rows? integer|string with a view before it, what is held meanwhile
    ---@param held? string
    function ui.drag(view, to, rows, held) end
    ---Turns the wheel over a view, down and to the right where the numbers are positive.
    ---@param view tidelock.View|string
    ---@param rows integer
    ---@param columns? integer
    ---@return boolean
    function ui.wheel(view, rows, columns) end
    ---Moves the mouse over a view, or without one away from all.
    ---@param view? tidelock.View|string
    function ui.hover(view) end
    ---Opens the context menu of a view with the right button, and takes the item of a title.
    ---@param view tidelock.View|string
    ---@param title? string
    function ui.contextMenu(view, title) end
    ---Focuses a view and types into it.
    ---@param view tidelock.View|string
    ---@param text string
    function ui.type(view, text) end
    ---Focuses a view and pastes a text into it, in one piece.
    ---@param view tidelock.View|string
    ---@param text string
    function ui.paste(view, text) end
    ---Presses keys: `"Tab a Enter"`.
    ---@param keys string
    ---@return boolean
    function ui.press(keys) end
    ---Gives a view the focus.
    ---@param view tidelock.View|string
    function ui.focus(view) end
    ---Selects a row.
    ---@param list tidelock.View|string
    ---@param index integer
    ---@param held? string `"Shift"` for all up to there, `"Ctrl"` for one more or less
    function ui.select(list, index, held) end
    ---What is shown, as text.
    ---@param view? tidelock.View|string
    ---@param size? string
    ---@return string
    function ui.snapshot(view, size) end
    ---Begins an app of another person's, with models and a screen apart, and the same shared models.
    ---`viewer` has the person's name.
    ---@param name string
    ---@param file string
    ---@param options? string|{ size?: string, arg?: string[] }
    ---@return tidelock.spec.Session
    function ui.session(name, file, options) end

    ---Another person at an app of their own.
    ---@class tidelock.spec.Session
    local Session = {}
    ---Presses the left button on a view there.
    ---@param id string
    ---@param held? string
    function Session.tap(id, held) end
    ---Presses the left button there twice in quick succession.
    ---@param id string
    ---@param held? string
    function Session.doubleClick(id, held) end
    ---Drags a view there with the left button.
    ---@param id string
    ---@param to integer|string
    ---@param rows? integer|string
    ---@param held? string
    function Session.drag(id, to, rows, held) end
    ---Turns the wheel there.
    ---@param id string
    ---@param rows integer
    ---@param columns? integer
    ---@return boolean
    function Session.wheel(id, rows, columns) end
    ---Moves the mouse there over a view, or away from all.
    ---@param id? string
    function Session.hover(id) end
    ---Opens the context menu of a view there, and takes an item.
    ---@param id string
    ---@param title? string
    function Session.contextMenu(id, title) end
    ---Types into a view there.
    ---@param id string
    ---@param text string
    function Session.type(id, text) end
    ---Pastes a text there.
    ---@param id string
    ---@param text string
    function Session.paste(id, text) end
    ---Presses keys there.
    ---@param keys string
    ---@return boolean
    function Session.press(keys) end
    ---Gives a view there the focus.
    ---@param id string
    function Session.focus(id) end
    ---Selects a row there.
    ---@param id string
    ---@param index integer
    ---@param held? string
    function Session.select(id, index, held) end
    ---What is shown there, as text.
    ---@param id? string
    ---@param size? string
    ---@return string
    function Session.snapshot(id, size) end
    ---What an expression gives there, as plain values: `bo.value "views.count.text"`.
    ---@param expression string
    ---@return any
    function Session.value(expression) end
    ---The errors that are listed there.
    ---@return string[]
    function Session.errors() end
    ---Ends that app.
    function Session.close() end

    ---The tests' clock, which stands still until it is told to go on.
    ---@class tidelock.spec.clock
    clock = {}
    ---Moves the time on, and runs what is due by then.
    ---@param seconds number
    function clock.advance(seconds) end
    ---The time of the clock, in seconds.
    ---@return number
    function clock.now() end

    ---Tries a property of functions on generated values: `forall(gen.integer(), function(n) … end)`.
    ---@param ... any generators, and the function
    function forall(...) end

    ---Generators of values.
    ---@type table<string, fun(...): any>
    gen = {}

    ---@alias tidelock.spec.Body fun(...): any

    """
    + [
      ("describe", "Groups tests under a name."), ("insulate", "Groups tests apart from others."),
      ("expose", "Groups tests whose changes others see."), ("it", "Is a test."),
      ("spec", "Is a test."), ("test", "Is a test."),
      ("pending", "Is a test that is not ready yet."),
    ].map { name, summary in
      """
      ---\(summary)
      ---@param name string
      ---@param body? tidelock.spec.Body
      function \(name)(name, body) end

      """
    }.joined()
    + [
      ("before_each", "Runs before each test."), ("after_each", "Runs after each test."),
      ("setup", "Runs before the tests."), ("teardown", "Runs after the tests."),
      ("lazy_setup", "Runs before the first test."), ("lazy_teardown", "Runs after the tests."),
      ("strict_setup", "Runs before the tests, also where there are none."),
      ("strict_teardown", "Runs after the tests, also where there are none."),
      ("finally", "Runs at the end of the test, however it ends."),
    ].map { name, summary in
      """
      ---\(summary)
      ---@param body tidelock.spec.Body
      function \(name)(body) end

      """
    }.joined()
      + """
      ---Runs tests in a random order.
      ---@param seed? integer|boolean
      function randomize(seed) end
      ---Lets a test end by `done()`.
      function async() end
      ---Ends a test that waits.
      function done() end
      ---Replaces functions and watches their calls.
      ---@type any
      stub = {}
      ---Watches or replaces all functions of a table.
      ---@type any
      mock = {}
      ---Matches arguments of watched calls.
      ---@type any
      match = {}


      """
}
