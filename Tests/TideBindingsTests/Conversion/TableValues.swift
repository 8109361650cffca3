import TideGraph

@testable import TideBindings

// Tables of test arguments are handed between threads; the objects in them belong to one test each.
extension Value: @unchecked Sendable {}
extension TransformCall: @unchecked Sendable {}
