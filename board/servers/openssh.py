# SPDX-License-Identifier: Apache-2.0
"""OpenSSH's server, which offers nothing but SFTP."""

import os
import pwd
import subprocess

from daemons import LOOPBACK, Daemon


class OpenSSH(Daemon):
    """sshd as this program's own user, who logs in with a key that is made for the row."""

    name, user = "OpenSSH", ""

    @property
    def url(self):
        """The folder of the pictures."""
        return f"sftp://{LOOPBACK}:{self.port}{self.store}"

    def command(self):
        for key in (self._login, self._host):
            if not os.path.exists(key):
                subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)  # Debian's unit makes it
        configuration = self.write("sshd_config", (
            f"Port {self.port}\nListenAddress {LOOPBACK}\nHostKey {self._host}\nAuthorizedKeysFile {self._login}.pub\nStrictModes no\nUsePAM no\n"
            f"PidFile none\nPasswordAuthentication no\nPermitRootLogin prohibit-password\nSubsystem sftp internal-sftp\nForceCommand internal-sftp\n"))
        # sshd starts itself again for each connection, for which it must have been called by its path.
        return ["/usr/sbin/sshd", "-D", "-e", "-f", configuration]

    def login(self):
        """The keys of a target that may log in."""
        shown = subprocess.run(["ssh-keygen", "-lf", self._host], check=True, stdout=subprocess.PIPE, text=True).stdout
        return {"user": pwd.getpwuid(os.geteuid()).pw_name, "private_key_file": self._login, "host_key": shown.split()[1]}

    @property
    def _login(self):
        return os.path.join(self.folder, "login")

    @property
    def _host(self):
        return os.path.join(self.folder, "host")
