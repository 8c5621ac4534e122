# SPDX-License-Identifier: Apache-2.0
"""WebDAV servers that people have, each with the user and the password of daemons.py."""

import base64
import hashlib
import html
import http.client
import os

from daemons import LOOPBACK, PASSWORD, USER, Daemon
from packages import tool
from receiving import LIBRARY, ReceiverError

HERE = os.path.dirname(os.path.realpath(__file__))
REALM = "pages"


class Nextcloud(Daemon):
    """sabre/dav in PHP's own server, with the rules of Nextcloud: nextcloud.php."""

    name, path = "sabre/dav", f"/remote.php/dav/files/{USER}/"

    @staticmethod
    def missing():
        """Why it cannot be run here, if it cannot."""
        return "" if os.path.exists("/usr/share/php/Sabre/autoload.php") else "Debian has php-sabre-dav until version 12 alone"

    def command(self):
        return ["php", "-d", "display_errors=0", "-d", "log_errors=0", "-S", f"{LOOPBACK}:{self.port}", os.path.join(HERE, "nextcloud.php")]

    def environment(self):
        return {"STORE": self.store, "BASE": self.path, "PASSWORD": PASSWORD}

    def prepare(self):
        """Tries the rule that the row is there for."""
        login = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=60)
        connection.request("PUT", f"{self.path}.a.jpg.part", b"bytes", {"Authorization": f"Basic {login}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status != 400 or '".part" is a forbidden file type.' not in html.unescape(text):
            raise ReceiverError(f"{self.name} answered {answer.status} to a name that ends in .part: {text[:200]}")


class WsgiDAV(Daemon):
    """WsgiDAV, which people have in containers and on NAS."""

    name, digest = "WsgiDAV", False

    def command(self):
        digest, basic = str(self.digest).lower(), str(not self.digest).lower()
        configuration = self.write("wsgidav.yaml", f"""\
host: {LOOPBACK}
port: {self.port}
provider_mapping: {{ "/": "{self.store}" }}
http_authenticator: {{ accept_basic: {basic}, accept_digest: {digest}, default_to_digest: {digest} }}
simple_dc: {{ user_mapping: {{ "*": {{ {USER}: {{ password: {PASSWORD} }} }} }} }}
""")
        return [tool("python"), "-m", "wsgidav.server.server_cli", f"--config={configuration}"]


class WsgiDAVDigest(WsgiDAV):
    """WsgiDAV that takes Digest alone."""

    digest = True


class Apache(Daemon):
    """Apache with mod_dav."""

    name, digest = "Apache", False
    # It does not serve as root.
    account = {"user": "nobody", "group": "nogroup", "extra_groups": []}
    own_names = (".DAV",)
    _MODULES = ("mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "auth_digest", "dav", "dav_fs")

    def command(self):
        if self.digest:
            users = self.write("users", f"{USER}:{REALM}:{hashlib.md5(f'{USER}:{REALM}:{PASSWORD}'.encode()).hexdigest()}\n")
        else:
            users = self.write("users", f"{USER}:{{SHA}}{base64.b64encode(hashlib.sha1(PASSWORD.encode()).digest()).decode()}\n")
        modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in self._MODULES)
        configuration = self.write("apache.conf", f"""\
ServerRoot "{self.folder}"
{modules}
Listen {LOOPBACK}:{self.port}
ServerName localhost
PidFile "{self.folder}/apache.pid"
DefaultRuntimeDir "{self.folder}"
ErrorLog "{self.log}"
DavLockDB "{self.folder}/locks"
DocumentRoot "{self.store}"
<Directory "{self.store}">
  Dav On
  AuthType {'Digest' if self.digest else 'Basic'}
  AuthName {REALM}
  AuthUserFile "{users}"
  Require valid-user
</Directory>
""")
        return ["apache2", "-DFOREGROUND", "-f", configuration]


class ApacheDigest(Apache):
    """Apache with "AuthType Digest"."""

    digest = True


class Lighttpd(Daemon):
    """lighttpd with mod_webdav."""

    name, method = "lighttpd", "basic"

    def command(self):
        users = self.write("users", f"{USER}:{PASSWORD}\n")
        configuration = self.write("lighttpd.conf", f"""\
server.modules = ("mod_auth", "mod_authn_file", "mod_webdav")
server.document-root = "{self.store}"
server.bind = "{LOOPBACK}"
server.port = {self.port}
server.errorlog = "{self.log}"
server.upload-dirs = ("{self.folder}")
webdav.activate = "enable"
auth.backend = "plain"
auth.backend.plain.userfile = "{users}"
auth.require = ("" => ("method" => "{self.method}", "realm" => "{REALM}", "require" => "valid-user"))
""")
        return ["lighttpd", "-D", "-f", configuration]


class LighttpdDigest(Lighttpd):
    """lighttpd that takes Digest alone."""

    method = "digest"


class Rclone(Daemon):
    """rclone serve webdav, whose WebDAV is that of Go's library, which many servers use."""

    name = "rclone"

    def command(self):
        return [tool("rclone"), "serve", "webdav", "--config", os.path.join(self.folder, "rclone.conf"), "--addr", f"{LOOPBACK}:{self.port}",
                "--user", USER, "--pass", PASSWORD, self.store]


class Nginx(Daemon):
    """nginx of board/lib/receiver: a PUT makes the folders; it asks for no password."""

    name, user = "nginx", ""

    def command(self):
        return [os.path.join(LIBRARY, "receiver"), "run", self.folder, str(self.port)]
