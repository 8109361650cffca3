// What a file that imports this module sees of the values below it: how Swift types convert.
// `Value`, which types that convert by themselves name, comes with `import TideValues` or
// `import TideBindings`.
@_exported public import protocol TideValues.TideConvertible
@_exported public import struct TideValues.ValueMismatch
@_exported public import enum TideValues.ValueType
