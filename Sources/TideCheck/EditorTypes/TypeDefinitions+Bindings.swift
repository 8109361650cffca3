import TideScript

extension TypeDefinitions {
  /// Bindings, transformers, triggers and contexts.
  static let bindings = """
    ---@alias tidelock.TransformFunction fun(value: any, ...): any

    ---@class tidelock.TransformPair
    ---@field transform tidelock.TransformFunction
    ---@field reverse? tidelock.TransformFunction

    ---@alias tidelock.Transform tidelock.TransformerName|string|tidelock.TransformFunction|tidelock.TransformPair|table

    ---What makes a binding update.
    ---@class tidelock.Trigger

    ---@class tidelock.BindingOptions
    ---@field transform? tidelock.Transform
    ---@field initial? boolean
    ---@field null? any
    ---@field fallback? any
    ---@field noSelection? any
    ---@field multipleValues? any
    ---@field notApplicable? any
    ---@field format? string
    ---@field delay? number
    ---@field throttle? number
    ---@field trigger? tidelock.Trigger|tidelock.Trigger[]
    ---@field when? string|fun(): any
    ---@field restore? boolean
    ---@field validate? fun(value: any): any, string?
    ---@field validatesImmediately? boolean
    ---@field continuous? boolean
    ---@field deliver? "settle"|"frame"
    ---@field enabled? boolean
    ---@field roots? table<string, any>
    ---@field name? string
    ---@field observe? fun(object: any, value: any, change: table)

    ---@class tidelock.Error
    ---@field code string
    ---@field number string
    ---@field message string
    ---@field path? string
    ---@field location? string

    ---@class tidelock.Binding
    ---@field enabled boolean
    ---@field error? tidelock.Error
    ---@field source any
    ---@field target any
    ---@field description string
    ---@field location string
    local Binding = {}
    ---@param left tidelock.DataObject|tidelock.List
    ---@param right tidelock.DataObject|tidelock.List
    function Binding:connect(left, right) end
    function Binding:enable() end
    function Binding:disable() end
    function Binding:unbind() end
    function Binding:fire() end
    ---@param trigger tidelock.Trigger
    function Binding:add(trigger) end
    ---@param trigger tidelock.Trigger
    function Binding:remove(trigger) end

    ---Connects two properties: by names, of two objects, or a property with what a function reads.
    ---@param expression string
    ---@param left tidelock.DataObject|tidelock.List
    ---@param right tidelock.DataObject|tidelock.List
    ---@param options? tidelock.BindingOptions
    ---@return tidelock.Binding
    ---@overload fun(expression: string, options?: tidelock.BindingOptions): tidelock.Binding
    ---@overload fun(object: tidelock.DataObject, property: string, fn: fun(): any, options?: tidelock.BindingOptions): tidelock.Binding
    ---@overload fun(sources: string[], target: string, options: tidelock.BindingOptions): tidelock.Binding
    ---@overload fun(sources: string[], target: string, left: tidelock.DataObject|tidelock.List, right: tidelock.DataObject|tidelock.List, options: tidelock.BindingOptions): tidelock.Binding
    function bind(expression, left, right, options) end

    ---A binding that gets its ends later, by `:connect(left, right)`.
    ---@param expression string
    ---@param options? tidelock.BindingOptions
    ---@return tidelock.Binding
    function binding(expression, options) end

    ---Ends the bindings of an object, or of one of its properties.
    ---@param object tidelock.DataObject|tidelock.List
    ---@param path? string
    function unbind(object, path) end

    ---The living bindings.
    ---@param object? tidelock.DataObject|tidelock.List
    ---@return tidelock.Binding[]
    function bindings(object) end

    ---What has failed and still does; with `editing`, what people have entered that cannot be taken.
    ---@param options? { editing?: boolean }
    ---@return tidelock.Error[]
    function errors(options) end

    ---A transformer that expressions name after `|`.
    ---@param name string
    ---@param transform tidelock.TransformFunction|tidelock.TransformPair
    ---@overload fun(name: string): fun(transform: tidelock.TransformFunction|tidelock.TransformPair)
    function transformer(name, transform) end

    trigger = {}
    ---@param object tidelock.DataObject|tidelock.List
    ---@param path string
    ---@return tidelock.Trigger
    function trigger.change(object, path) end
    ---@param name string
    ---@param sender? any
    ---@return tidelock.Trigger
    function trigger.notification(name, sender) end
    ---@param view tidelock.View
    ---@param event tidelock.EventName
    ---@return tidelock.Trigger
    function trigger.event(view, event) end
    ---@param object tidelock.DataObject|tidelock.List
    ---@param method string
    ---@return tidelock.Trigger
    function trigger.call(object, method) end
    ---@param seconds number
    ---@return tidelock.Trigger
    function trigger.every(seconds) end
    ---@return tidelock.Trigger
    function trigger.manual() end

    ---@class tidelock.ContextOptions
    ---@field policy? "replace"|"keep"
    ---@field enabled? boolean

    ---@class tidelock.Contexts
    ---@overload fun(owner: tidelock.DataObject|string, fn: function)
    ---@overload fun(owner: tidelock.DataObject|string, name: string, fn: function)
    ---@overload fun(owner: tidelock.DataObject|string, options: tidelock.ContextOptions, fn: function)
    ---@overload fun(owner: tidelock.DataObject|string, name: string, options: tidelock.ContextOptions, fn: function)
    context = {}
    ---@param owner tidelock.DataObject|string
    ---@param name? string|tidelock.ContextOptions
    ---@param options? tidelock.ContextOptions
    function context.begin(owner, name, options) end
    function context.finish() end
    ---@param owner tidelock.DataObject|string
    ---@param name? string
    function context.clear(owner, name) end
    ---@param owner tidelock.DataObject|string
    ---@param name? string
    function context.enable(owner, name) end
    ---@param owner tidelock.DataObject|string
    ---@param name? string
    function context.disable(owner, name) end
    ---What is bound in the open context.
    ---@return string[]
    function context.list() end

    """
}
