// Refuses to run on a processor that lacks the instructions the Swift modules are built for.
#pragma once
// Referenced by the executables so that the linker keeps the constructor.
void rawmill_processor_check(void);
