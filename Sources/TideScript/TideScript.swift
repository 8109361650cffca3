// What a file that imports this module sees of the event loop below it, which every runtime has.
@_exported public import class TideSystem.DescriptorWatch
@_exported public import class TideSystem.EventLoop
@_exported public import class TideSystem.LoopInbox
@_exported public import class TideSystem.LoopTimer
@_exported public import struct TideSystem.SystemError
@_exported public import class TideSystem.VirtualClock
