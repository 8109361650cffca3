// Re-exports the event loop of the module below, which every runtime uses.
@_exported public import class TideSystem.DescriptorWatch
@_exported public import class TideSystem.EventLoop
@_exported public import class TideSystem.LoopInbox
@_exported public import class TideSystem.LoopTimer
@_exported public import struct TideSystem.SystemError
@_exported public import class TideSystem.VirtualClock
