"""More threads are asked for than the system gives: fewer do the work."""

import sys
import sysconfig

import pytest

if sys.platform != "linux":
    pytest.skip("address space is limited on Linux alone", allow_module_level=True)

import resource

# The stacks of 64 threads, and what the allocator sets aside for each, are several times that.
ADDRESS_SPACE = 1 << 30


def limit_address_space():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


# There each thread has a heap of its own, of 32 MiB at once. One that gets none cannot even handle
# the exception that says so: CPython 3.13 tries again and again, for ever.
@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="the interpreter spins there"
)
def test_as_many_threads_as_there_is_room_for(truecase):
    text = b"".join(b"%d the bridge of london is down .\n" % i for i in range(100_000))
    many = truecase("-j", 64, text=text, preexec_fn=limit_address_space)
    assert many.stderr == b""
    assert many.returncode == 0
    assert many.stdout == truecase(text=text).stdout
