public import TideCheck

extension SpecVocabulary {
  /// The vocabulary of busted and of this runner.
  public static let tidelock = SpecVocabulary(
    words: words, libraryWords: libraryWords,
    definitions: definitions + AssertionGrammar.definitions, assertions: .tidelock,
    modules: EmbeddedSource.modules)

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
    ---How much is shown, and what the app gets as its arguments.
    ---@class tidelock.spec.MountOptions
    ---@field size? tidelock.ScreenSize
    ---@field arg? any[]
    ---@field [integer] tidelock.ScreenSize

    ---@class tidelock.spec.SnapshotOptions
    ---@field size? tidelock.ScreenSize
    ---@field [integer] tidelock.ScreenSize

    ---Drives the app as a person does.
    ---@class tidelock.spec.ui
    ui = {}
    ---Shows a view, or runs an app's file and shows what it shows.
    ---@param what tidelock.View|tidelock.AppFile
    ---@param options? tidelock.ScreenSize|tidelock.spec.MountOptions
    ---@return tidelock.View
    function ui.mount(what, options) end
    ---Presses the left button on a view and lets it go.
    ---@param view tidelock.View|tidelock.ViewID
    ---@param held? tidelock.HeldKeys what is held meanwhile, as `"Shift"` or `"Ctrl"`
    function ui.tap(view, held) end
    ---Presses the left button twice in quick succession.
    ---@param view tidelock.View|tidelock.ViewID
    ---@param held? tidelock.HeldKeys
    function ui.doubleClick(view, held) end
    ---Drags a view with the left button: so many columns and rows, or over another view.
    ---@param view tidelock.View|tidelock.ViewID
    ---@param to integer|tidelock.View|tidelock.ViewID
    ---@param rows? integer|tidelock.HeldKeys with a view before it, what is held meanwhile
    ---@param held? tidelock.HeldKeys
    function ui.drag(view, to, rows, held) end
    ---Turns the wheel over a view, down and to the right where the numbers are positive.
    ---@param view tidelock.View|tidelock.ViewID
    ---@param rows integer
    ---@param columns? integer
    ---@return boolean
    function ui.wheel(view, rows, columns) end
    ---Moves the mouse over a view, or without one away from all.
    ---@param view? tidelock.View|tidelock.ViewID
    function ui.hover(view) end
    ---Opens the context menu of a view with the right button, and takes the item of a title.
    ---@param view tidelock.View|tidelock.ViewID
    ---@param title? string
    function ui.contextMenu(view, title) end
    ---Focuses a view and types into it.
    ---@param view tidelock.View|tidelock.ViewID
    ---@param text string|number
    function ui.type(view, text) end
    ---Focuses a view and pastes a text into it, in one piece.
    ---@param view tidelock.View|tidelock.ViewID
    ---@param text string
    function ui.paste(view, text) end
    ---Presses keys: `"Tab a Enter"`.
    ---@param keys tidelock.Keys
    ---@param ... tidelock.Keys
    ---@return boolean
    function ui.press(keys, ...) end
    ---Gives a view the focus.
    ---@param view tidelock.View|tidelock.ViewID
    function ui.focus(view) end
    ---Selects a row.
    ---@param list tidelock.View|tidelock.ViewID
    ---@param index integer
    ---@param held? tidelock.HeldKeys `"Shift"` for all up to there, `"Ctrl"` for one more or less
    function ui.select(list, index, held) end
    ---What is shown, as text.
    ---@param view? tidelock.View|tidelock.ViewID|tidelock.spec.SnapshotOptions
    ---@param size? tidelock.ScreenSize|tidelock.spec.SnapshotOptions
    ---@return string
    function ui.snapshot(view, size) end
    ---Begins an app of another person's, with models and a screen apart, and the same shared models.
    ---`viewer` has the person's name.
    ---@param name string
    ---@param file tidelock.AppFile
    ---@param options? tidelock.ScreenSize|tidelock.spec.MountOptions
    ---@return tidelock.spec.Session
    function ui.session(name, file, options) end

    ---Another person at an app of their own.
    ---@class tidelock.spec.Session
    local Session = {}
    ---Presses the left button on a view there.
    ---@param id tidelock.ViewID
    ---@param held? tidelock.HeldKeys
    function Session.tap(id, held) end
    ---Presses the left button there twice in quick succession.
    ---@param id tidelock.ViewID
    ---@param held? tidelock.HeldKeys
    function Session.doubleClick(id, held) end
    ---Drags a view there with the left button.
    ---@param id tidelock.ViewID
    ---@param to integer|tidelock.ViewID
    ---@param rows? integer|tidelock.HeldKeys
    ---@param held? tidelock.HeldKeys
    function Session.drag(id, to, rows, held) end
    ---Turns the wheel there.
    ---@param id tidelock.ViewID
    ---@param rows integer
    ---@param columns? integer
    ---@return boolean
    function Session.wheel(id, rows, columns) end
    ---Moves the mouse there over a view, or away from all.
    ---@param id? tidelock.ViewID
    function Session.hover(id) end
    ---Opens the context menu of a view there, and takes an item.
    ---@param id tidelock.ViewID
    ---@param title? string
    function Session.contextMenu(id, title) end
    ---Types into a view there.
    ---@param id tidelock.ViewID
    ---@param text string|number
    function Session.type(id, text) end
    ---Pastes a text there.
    ---@param id tidelock.ViewID
    ---@param text string
    function Session.paste(id, text) end
    ---Presses keys there.
    ---@param keys tidelock.Keys
    ---@param ... tidelock.Keys
    ---@return boolean
    function Session.press(keys, ...) end
    ---Gives a view there the focus.
    ---@param id tidelock.ViewID
    function Session.focus(id) end
    ---Selects a row there.
    ---@param id tidelock.ViewID
    ---@param index integer
    ---@param held? tidelock.HeldKeys
    function Session.select(id, index, held) end
    ---What is shown there, as text.
    ---@param id? tidelock.ViewID|tidelock.spec.SnapshotOptions
    ---@param size? tidelock.ScreenSize|tidelock.spec.SnapshotOptions
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

    ---Makes random values.
    ---@class tidelock.spec.Generator
    local Generator = {}
    ---What a function makes of the values.
    ---@param fn fun(value: any): any
    ---@return tidelock.spec.Generator
    function Generator:map(fn) end
    ---Those values for which a function gives true.
    ---@param fn fun(value: any): any
    ---@return tidelock.spec.Generator
    function Generator:filter(fn) end
    ---A value of the generator that a function gives for a value.
    ---@param fn fun(value: any): tidelock.spec.Generator
    ---@return tidelock.spec.Generator
    function Generator:flat(fn) end

    ---How many characters or elements there are.
    ---@class tidelock.spec.LengthOptions
    ---@field min? integer
    ---@field max? integer

    ---Generators of values.
    ---@class tidelock.spec.gen
    gen = {}
    ---A whole number in a range; without one any that a float holds exactly.
    ---@param lo? integer
    ---@param hi? integer
    ---@return tidelock.spec.Generator
    function gen.integer(lo, hi) end
    ---A number in a range, whole or not.
    ---@param lo? number
    ---@param hi? number
    ---@return tidelock.spec.Generator
    function gen.number(lo, hi) end
    ---False or true.
    ---@return tidelock.spec.Generator
    function gen.boolean() end
    ---A text of characters of a kind, ASCII by default.
    ---@param kind? "ascii"|"unicode"|"bytes"|tidelock.spec.LengthOptions
    ---@param options? tidelock.spec.LengthOptions
    ---@return tidelock.spec.Generator
    function gen.string(kind, options) end
    ---A plain list.
    ---@param of tidelock.spec.Generator
    ---@param options? tidelock.spec.LengthOptions
    ---@return tidelock.spec.Generator
    function gen.list(of, options) end
    ---A table from keys to values.
    ---@param keys tidelock.spec.Generator
    ---@param values tidelock.spec.Generator
    ---@param options? tidelock.spec.LengthOptions
    ---@return tidelock.spec.Generator
    function gen.dict(keys, values, options) end
    ---A table with these fields, each by its generator.
    ---@param fields table
    ---@return tidelock.spec.Generator
    function gen.record(fields) end
    ---One of these values, the first of which is the simplest.
    ---@param ... any
    ---@return tidelock.spec.Generator
    function gen.choose(...) end
    ---A value of one of these generators, the first of which is the simplest.
    ---@param ... tidelock.spec.Generator|tidelock.spec.Generator[]
    ---@return tidelock.spec.Generator
    function gen.oneof(...) end
    ---Always this value.
    ---@param value any
    ---@return tidelock.spec.Generator
    function gen.constant(value) end
    ---What a function makes of the values.
    ---@param of tidelock.spec.Generator
    ---@param fn fun(value: any): any
    ---@return tidelock.spec.Generator
    function gen.map(of, fn) end
    ---Those values for which a function gives true.
    ---@param of tidelock.spec.Generator
    ---@param fn fun(value: any): any
    ---@return tidelock.spec.Generator
    function gen.filter(of, fn) end
    ---A value of the generator that a function gives for a value of another.
    ---@param of tidelock.spec.Generator
    ---@param fn fun(value: any): tidelock.spec.Generator
    ---@return tidelock.spec.Generator
    function gen.flat(of, fn) end
    ---Some values, to look at.
    ---@param of tidelock.spec.Generator
    ---@param count? integer
    ---@param seed? integer
    ---@return any[]
    function gen.sample(of, count, seed) end
    ---Whether a value is a generator.
    ---@param value any
    ---@return boolean
    function gen.is(value) end

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
