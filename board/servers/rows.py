# SPDX-License-Identifier: Apache-2.0
"""The rows: each server, and how it is reached."""

from dataclasses import dataclass, field
from typing import Callable, Optional

from daemons import Proxy
from objects import Moto, SeaweedS3, SeaweedTus, Tuspyserver, TuspyserverSilent
from openssh import OpenSSH
from plays import deliver, deliver_after_folders, deliver_after_host, deliver_after_rewrite, deliver_movie, deliver_over_kill
from webdav import Apache, ApacheDigest, Lighttpd, LighttpdDigest, Nextcloud, Nginx, Rclone, WsgiDAV, WsgiDAVDigest


# So many bits a second that a movie needs several parts soon.
MOVIE = {"size": "1920x1080", "movie": "enabled: true, bit_rate: 100000000, minimum_free: 1 MiB"}


@dataclass(frozen=True)
class Row:
    """A server, and how it is reached. `words`: what nginx before it has beside `proxy_pass`; None: there is no nginx."""

    name: str
    about: str
    server: type
    kind: str = "webdav"
    words: Optional[str] = None
    keys: dict = field(default_factory=dict)  # further ones of the target
    has_folders: bool = False  # made before the first picture
    places: int = 1  # targets, each with a collection of its own
    refusal: str = ""  # the words of a refusal
    play: Callable = deliver
    size: str = "640x480"
    movie: str = ""  # the keys of the section, for a row that records


def both(name, about, server, kind="webdav", words=Proxy.PLAIN, behind=deliver, **others):
    """The rows of a server, directly and behind nginx, where `behind` is played."""
    return [Row(name, about, server, kind, **others),
            Row(f"{name}.tls", f"{about}, behind nginx that ends TLS", server, kind, words, **{**others, "play": behind})]


ROWS = [
    *both("nextcloud", "sabre/dav with Nextcloud's rules", Nextcloud, behind=deliver_over_kill),
    *both("wsgidav.basic", "WsgiDAV, Basic", WsgiDAV),
    *both("wsgidav.digest", "WsgiDAV, Digest", WsgiDAVDigest),
    *both("apache.basic", "Apache mod_dav, Basic", Apache, behind=deliver_after_rewrite),
    *both("apache.digest", "Apache mod_dav, Digest", ApacheDigest, behind=deliver_after_rewrite),
    Row("apache.rewritten", "Apache mod_dav behind nginx that rewrites Destination", Apache, words=Proxy.REWRITING),
    *both("lighttpd.basic", "lighttpd mod_webdav, Basic", Lighttpd),
    *both("lighttpd.digest", "lighttpd mod_webdav, Digest", LighttpdDigest),
    *both("rclone", "rclone serve webdav", Rclone),
    Row("rclone.host", "rclone serve webdav, behind nginx that ends TLS and names the host", Rclone, words=Proxy.HOST),
    Row("rclone.places", "rclone serve webdav, behind nginx that ends TLS; eight collections that are missing", Rclone, words=Proxy.HOST, places=8),
    *both("put.nginx", "plain PUT at nginx, which makes folders", Nginx, "put"),
    *both("put.apache", "plain PUT at Apache with the day's folders", Apache, "put", has_folders=True),
    *both("put.lighttpd", "plain PUT at lighttpd with the day's folders", Lighttpd, "put", has_folders=True),
    *both("put.wsgidav", "plain PUT at WsgiDAV with the day's folders", WsgiDAV, "put", has_folders=True),
    Row("put.folders", "plain PUT at WsgiDAV, which has not the day's folders", WsgiDAV, "put", play=deliver_after_folders),
    *both("moto", "moto by S3", Moto, "s3", Proxy.HOST),
    *both("seaweedfs.s3", "SeaweedFS by S3, a key that may only write", SeaweedS3, "s3", Proxy.HOST),
    Row("seaweedfs.unnamed", "SeaweedFS by S3, behind nginx that names another host", SeaweedS3, "s3", Proxy.PLAIN, refusal="SignatureDoesNotMatch",
        play=deliver_after_host),
    *both("seaweedfs.tus", "SeaweedFS by tus", SeaweedTus, "tus", Proxy.HOST, keys={"naming": "path"}),
    *both("tuspyserver", "tuspyserver", Tuspyserver, "tus", Proxy.HOST),
    Row("tuspyserver.port", "tuspyserver, behind nginx that ends TLS and names the host without the port", Tuspyserver, "tus", Proxy.HOST_ALONE),
    Row("tuspyserver.plain", "tuspyserver, behind nginx that ends TLS and names no host", Tuspyserver, "tus", Proxy.PLAIN),
    Row("tuspyserver.unnamed", "tuspyserver, behind nginx that names another host", Tuspyserver, "tus", Proxy.INSIDE),
    Row("openssh", "OpenSSH by SFTP", OpenSSH, "sftp"),
    Row("moto.movie", "moto by S3, a movie", Moto, "s3", play=deliver_movie, **MOVIE),
    Row("tuspyserver.movie", "tuspyserver, a movie", Tuspyserver, "tus", play=deliver_movie, **MOVIE),
    Row("apache.movie", "Apache mod_dav, a movie", Apache, play=deliver_movie, **MOVIE),
    Row("openssh.movie", "OpenSSH by SFTP, a movie", OpenSSH, "sftp", play=deliver_movie, **MOVIE),
    *both("tuspyserver.silent", "tuspyserver, which does not answer OPTIONS", TuspyserverSilent, "tus", Proxy.HOST),
]
