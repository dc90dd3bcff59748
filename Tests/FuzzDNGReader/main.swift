internal import CLibFuzzer
internal import DNGFuzzing
internal import Glibc

var count = CommandLine.argc
// The process's own arguments, which live as long as it does.
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
// libFuzzer calls with bytes that live as long as the call.
let status = unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  if let fault = FuzzTarget.dngReader.fault(input) { fatalError(fault) }
  return 0
}
exit(status)
