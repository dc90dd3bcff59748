internal import CProcessorCheck
internal import Glibc
internal import ServiceRuntime

// Links the constructor that tells processors which lack an instruction of this build so.
rawmill_processor_check()
exit(Program().run(ProcessArguments.bytes).rawValue)
