package import TideCheck

extension AssertionGrammar {
  /// The vocabulary of luassert and of this runner.
  package static let tidelock = AssertionGrammar(
    assertions: [
      "same", "equal", "equals", "unique", "near", "true", "false", "truthy", "falsy", "nil",
      "boolean", "number", "string", "table", "function", "userdata", "thread", "match", "matches",
      "error", "errors", "error_match", "error_matches", "match_error", "matches_error",
      "returned_arguments", "called", "called_with", "called_at_least", "called_at_most",
      "called_more_than", "called_less_than", "returned_with", "holes", "bound", "runs", "property",
      "eventually", "settles", "no_errors", "snapshot", "lawful",
    ],
    modifiers: [
      "is", "are", "was", "has", "does", "a", "an", "the", "not", "no", "message", "array", "spy",
      "stub",
    ],
    functions: [
      "register", "unregister", "level", "get_level", "format", "add_formatter", "remove_formatter",
      "set_parameter", "get_parameter", "add_spy", "snapshot", "state",
    ],
    continuations: ["property": ["is", "is_not", "exists", "does_not_exist"]],
    required: [
      "same": ["expected", "actual"], "equal": ["expected", "actual"],
      "equals": ["expected", "actual"], "near": ["expected", "actual", "tolerance"],
      "match": ["pattern", "actual"], "matches": ["pattern", "actual"],
      "error_match": ["fn", "pattern"], "error_matches": ["fn", "pattern"],
      "match_error": ["fn", "pattern"], "matches_error": ["fn", "pattern"],
      "error": ["fn"], "errors": ["fn"], "unique": ["list"],
      "truthy": ["value"], "falsy": ["value"],
      "bound": ["object", "path"], "property": ["object", "path"], "runs": ["bindings", "count"],
      "eventually": ["fn"], "settles": ["fn"], "lawful": ["transformer"],
    ])

  /// Type definitions of the assertions, for editors.
  static let definitions =
    """
    ---Lua's own function, and the assertions of luassert after it.
    ---@class tidelock.spec.assert
    ---@overload fun(value: any, message?: any, ...: any): any
    assert = {}
    ---Whether something binds a property.
    ---@param object tidelock.DataObject|tidelock.List
    ---@param path tidelock.ObjectPath
    ---@param message? any
    function assert.bound(object, path, message) end
    ---The property that a path leads to: `assert.property(fruit, "name").is("fig")`.
    ---@param object tidelock.DataObject|tidelock.List
    ---@param path tidelock.ObjectPath
    ---@param ... any
    function assert.property(object, path, ...) end
    ---Whether the way through transformers and back changes nothing.
    ---@param transformer tidelock.ReversibleTransformers|table|function
    ---@param generator? tidelock.spec.Generator|tidelock.spec.LawOptions
    ---@param options? tidelock.spec.LawOptions
    ---@param ... any
    function assert.lawful(transformer, generator, options, ...) end
    ---Whether the way may lose something, and how often it is tried.
    ---@class tidelock.spec.LawOptions
    ---@field lossy? boolean
    ---@field runs? integer
    ---Watches the calls of a function: `spy.new(fn)`, `spy.on(table, "name")`.
    ---@class tidelock.spec.spy
    ---@overload fun(callback?: function): any
    spy = {}
    ---@param callback? function
    ---@return any
    function spy.new(callback) end
    ---@param target table
    ---@param key string|number
    ---@return any
    function spy.on(target, key) end
    ---@param value any
    ---@return boolean
    function spy.is_spy(value) end


    """
}
