"""Prints a digest of the C library's double functions over fixed arguments.

glibc's results differ in the last bit with and without fused multiply-add, so two different
digests prove that a mask over the processor's features has reached the C library.
"""

import hashlib
import math
import random
import struct

arguments = random.Random(1)
digest = hashlib.sha256()
for _ in range(200_000):
    x = arguments.uniform(0.01, 30)
    digest.update(struct.pack("4d", math.sin(x), math.exp(x), math.pow(x, 2.4), math.log(x)))
print(digest.hexdigest())
