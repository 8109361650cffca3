// The graph's declarations that an importer of this module sees: values and errors, and the graph
// itself for batches of changes.
@_exported public import struct TideGraph.CapacityError
@_exported public import struct TideGraph.CycleError
@_exported public import struct TideGraph.DepthError
@_exported public import class TideGraph.Graph
@_exported public import protocol TideGraph.PropertyValue
@_exported public import protocol TideValues.TideConvertible
@_exported public import enum TideValues.Value
@_exported public import struct TideValues.ValueMismatch
@_exported public import enum TideValues.ValueType
@_exported public import enum TideValues.WorkError
