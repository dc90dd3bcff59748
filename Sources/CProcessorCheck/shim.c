#include "shim.h"

#if defined(__x86_64__)
#include <unistd.h>
#include <string.h>

// Runs before main and is built without -march: only baseline instructions stand in here.
__attribute__((constructor(101))) static void check_at_start(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
      && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
    return;
  }
  static const char text[] =
      "rawmill: this build needs an x86-64-v3 processor (AVX2, BMI2, FMA: Intel Haswell 2013, "
      "AMD Excavator 2015 or later)\n";
  ssize_t ignored = write(2, text, strlen(text));
  (void)ignored;
  _exit(70);
}
#endif

void rawmill_processor_check(void) {}
