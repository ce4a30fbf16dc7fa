"""`tristan proxy` on a free port of this machine.

The proxy prints the port that it listens on as its first line. From then on it prints only errors, so what it printed
can be read when it has ended.
"""

import re
import subprocess

from failure import Failure


class Proxy:
    """Records everything that is sent to a server while the `with` block runs."""

    def __init__(self, program, server, log):
        command = [program, "proxy", "--no-config", "--listen", "127.0.0.1:0"]
        command += ["--upstream", f"{server.host}:{server.port}", "--protocol", server.kind.protocol, "-o", str(log)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = self.process.stderr.readline()
        found = re.search(r"listening on ([\d.]+):(\d+) ", said)
        if not found:
            with self.process:
                self.process.kill()
            raise Failure(f"tristan proxy does not start: {said.strip() or 'it prints nothing'}")
        self.address = found[1], int(found[2])

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        with self.process:
            self.process.terminate()
            try:
                code = self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise Failure("tristan proxy did not end within 60 seconds") from None
            if code != 0 and kind is not KeyboardInterrupt:
                raise Failure(f"tristan proxy ended with exit code {code}: {self.process.stderr.read().strip()}")
