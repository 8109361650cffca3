// One import for embedding programs: everything that they may use.
@_exported public import TideBindings
@_exported public import TideGraph
@_exported public import TideLua
@_exported public import TideREPL
@_exported public import TideReload
@_exported public import TideScript
@_exported public import TideSystem
@_exported public import TideTerminal
@_exported public import TideViews
