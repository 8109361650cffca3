// Linked into the tests: their functions are tasks on no actor, to which the graph would belong that
// they use. Here they count as code of the thread that they run on, which they leave only where they
// wait.
#pragma once
