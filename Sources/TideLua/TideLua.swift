// Re-exports the types needed to make Swift types convertible. `Value`, which is needed for custom
// conversions, requires `import TideValues` or `import TideBindings`.
@_exported public import protocol TideValues.TideConvertible
@_exported public import struct TideValues.ValueMismatch
@_exported public import enum TideValues.ValueType
