import TideScript

extension TypeDefinitions {
  /// Data objects, lists and what watches them.
  static let objects = """
    ---A thing with named, observable properties.
    ---@class tidelock.DataObject
    ---@field [string] any

    ---@alias tidelock.Type "string"|"number"|"integer"|"boolean"|"object"|"list"|"dict"|"any"

    ---@class tidelock.PropertyOptions
    ---@field default? any
    ---@field type? tidelock.Type
    ---@field nullable? boolean
    ---@field readonly? boolean
    ---@field enum? string[]
    ---@field validate? fun(self: any, value: any): any, string?
    ---@field description? string
    ---@field message? string|fun(value: any): string what people are told who enter what it cannot hold
    ---@field invalid? string|fun(value: any): string the same for what cannot be read as its type
    ---@field required? string|fun(value: any): string the same where nothing was entered

    ---What `observe`, `effect`, `after` and `every` give.
    ---@class tidelock.Handle
    local Handle = {}
    function Handle:cancel() end

    ---An edit of a list.
    ---@class tidelock.Edit
    ---@field kind "insertion"|"removal"|"replacement"|"move"
    ---@field indexes integer[] of a move where the element was and where it is
    ---@field objects any[]

    ---@class tidelock.Change
    ---@field path string
    ---@field prior? boolean
    ---@field kind? "insertion"|"removal"|"replacement"|"move" of an edit of the list that the path leads to
    ---@field indexes? integer[]
    ---@field objects? any[]
    ---@field edits? tidelock.Edit[] where rows were arranged anew by several, of which the others are the first

    ---@class tidelock.ObserveOptions
    ---@field initial? boolean
    ---@field prior? boolean

    ---@class tidelock.ListObserveOptions
    ---@field initial? boolean
    ---@field batch? boolean
    ---@field insertion? boolean
    ---@field removal? boolean
    ---@field replacement? boolean
    ---@field move? boolean

    ---An ordered, observable list, from 1.
    ---@class tidelock.List<T> : { [integer]: T }
    ---@field isFetching boolean of a feed: whether rows are on their way
    ---@field hasMore boolean of a feed: whether there may be more rows
    local List = {}
    ---Adds at the end.
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param ... T
    function List:append(...) end
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param index integer
    ---@param ... T
    function List:insert(index, ...) end
    ---Takes elements out and gives them.
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param index integer
    ---@param count? integer
    ---@return T ...
    function List:remove(index, count) end
    ---@param value any
    ---@return boolean
    function List:removeObject(value) end
    ---@param from integer
    ---@param to integer
    function List:move(from, to) end
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param index integer
    ---@param value T
    function List:replace(index, value) end
    ---Takes these elements, by the smallest edit.
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param values T[]|tidelock.List<T>
    function List:set(values) end
    function List:clear() end
    ---@param value any
    ---@return integer?
    function List:indexOf(value) end
    ---@generic T
    ---@param self tidelock.List<T>
    ---@return T[]
    function List:totable() end
    ---@param fn fun(change: tidelock.Edit|tidelock.Edit[]) with `batch` a list of edits
    ---@param options? tidelock.ListObserveOptions
    ---@return tidelock.Handle
    function List:observe(fn, options) end
    ---A live list of the elements that pass.
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param fn fun(value: T): any
    ---@return tidelock.List<T>
    function List:filter(fn) end
    ---A live list in order.
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param key? string|fun(value: T): any|fun(a: T, b: T): boolean
    ---@return tidelock.List<T>
    function List:sorted(key) end
    ---A live list of what the function makes of each element.
    ---@generic T, U
    ---@param self tidelock.List<T>
    ---@param fn fun(value: T): U
    ---@return tidelock.List<U>
    function List:map(fn) end
    ---A live list of groups, each with its `key` and `items`.
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param key string|fun(value: T): any
    ---@return tidelock.List<tidelock.Group<T>>
    function List:group(key) end
    ---A live list of some of the elements.
    ---@generic T
    ---@param self tidelock.List<T>
    ---@param index integer
    ---@param count integer
    ---@return tidelock.List<T>
    function List:slice(index, count) end
    ---@return boolean
    function List:fetchMore() end

    ---The rows of a grouped list that have something in common.
    ---@class tidelock.Group<T> : tidelock.DataObject
    ---@field key any
    ---@field items tidelock.List<T>
    ---A named data object, kept across reloads: `model "fruit" { name = "fig" }`.
    ---@param name string
    ---@return fun(fields: table): tidelock.DataObject
    function model(name) end

    ---@type tidelock.Models
    models = {}

    ---An anonymous data object.
    ---@param fields table
    ---@return tidelock.DataObject
    function object(fields) end

    ---A constructor of data objects: `class "Person" { first = "" }`.
    ---@class tidelock.Class
    ---@overload fun(fields?: table): tidelock.DataObject

    ---@param name string
    ---@param base? tidelock.Class
    ---@return fun(fields: table): tidelock.Class
    function class(name, base) end

    ---Whether an object is of a class.
    ---@param object any
    ---@param class tidelock.Class|string
    ---@return boolean
    function isa(object, class) end

    ---A declared property.
    ---@param options tidelock.PropertyOptions
    ---@return any
    function property(options) end

    ---A property that follows what its function reads.
    ---@param get fun(self: any): any
    ---@param set? fun(self: any, value: any)
    ---@return any
    function computed(get, set) end

    ---An observable, ordered list.
    ---@generic T
    ---@param values? T[]
    ---@return tidelock.List<T>
    function list(values) end

    ---An observable map from texts to values.
    ---@param values? table
    ---@return tidelock.DataObject
    function dict(values) end

    ---Lists one after the other, as one live list.
    ---@generic T
    ---@param ... tidelock.List<T>
    ---@return tidelock.List<T>
    function concat(...) end

    ---@class tidelock.FeedOptions
    ---@field fetch fun(offset: integer, count: integer): table
    ---@field page? integer

    ---A list that fetches its rows page by page.
    ---@param options tidelock.FeedOptions
    ---@return tidelock.List
    function feed(options) end

    ---An iterator of name, value and type.
    ---@param object tidelock.DataObject
    ---@return fun(): string, any, string
    function properties(object) end

    ---A data object whose `value` stands in for a property, transformed.
    ---@param object tidelock.DataObject|tidelock.List
    ---@param path string
    ---@param ... tidelock.Transform
    ---@return tidelock.DataObject
    function ref(object, path, ...) end

    ---Calls a function when a property changes; without a path, when any does.
    ---@param object tidelock.DataObject|tidelock.List
    ---@param path string
    ---@param fn fun(new: any, old: any, change: tidelock.Change)
    ---@param options? tidelock.ObserveOptions
    ---@return tidelock.Handle
    ---@overload fun(object: tidelock.DataObject, fn: fun(name: string, new: any, old: any)): tidelock.Handle
    function observe(object, path, fn, options) end

    ---Runs a function now and whenever something it read changes.
    ---@param fn fun(): function?
    ---@return tidelock.Handle
    function effect(fn) end

    ---Settles once, when the function has ended.
    ---@param fn function
    ---@return any ...
    function batch(fn, ...) end

    ---Reads without depending on what is read.
    ---@param fn function
    ---@return any ...
    function untracked(fn, ...) end

    """
}
