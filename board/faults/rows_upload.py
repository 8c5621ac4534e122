# SPDX-License-Identifier: Apache-2.0
"""Rows U1 to U4 and U6 to U8: a network and a server that do everything wrong."""

import os
import signal
import time

from faultproxy import Planned
from referee import sha256
from service import PATIENCE
from stage import by_tests, row

# What two pictures and a connection may add to a service that has just started; the fault must not add to it.
GROWTH_LIMIT_MIB = 40

# A limit longer than a busy machine lets a thread of the proxy stand: a request is sent again because of its answer alone.
UNHURRIED = "20 s"


def through(stage, kind, pictures=2, method=None, times=None, seconds=20, hold=0.0, given_up=None):
    """Takes pictures while every request (or the first `times` of a method) meets a fault, which ends after `hold` seconds.

    `given_up`: the seconds within which the service must end a request that the fault would never end, by a machine that does
    nothing else, and PATIENCE times that by any.
    Returns (the requests that came meanwhile, seconds until everything was delivered afterwards).
    """
    stage.serve(kind, method=method, times=times)
    stage.start()
    stage.note_memory()
    before = stage.peak_memory
    began = time.monotonic()
    stage.stored(pictures)
    stage.until("the fault was met", lambda: stage.proxy.counts[kind] > 0, 10)
    time.sleep(hold)
    if given_up is not None:
        stage.until("a request was given up", lambda: any(request.kind == kind for request in stage.proxy.since(began)), 10)
    requests = stage.proxy.since(began)
    if given_up is not None:
        longest = max(request.seconds for request in requests if request.kind == kind)
        stage.expect(longest <= given_up * PATIENCE, f"a request was given up after {longest:.1f} s only")
    stage.note_memory()
    stage.expect(stage.peak_memory - before <= GROWTH_LIMIT_MIB, f"the memory has grown from {before} to {stage.peak_memory} MiB")
    if times is None:
        stage.expect(stage.objects() == 0, f"the server has {stage.objects()} pictures although every request failed")
        spool = stage.service.spool()
        stage.expect(spool["waiting"] + spool["parked"] == pictures, f"a picture counts as delivered that is not: {spool}")
        stage.proxy.calm()
    return requests, stage.drained(seconds)


def spaced(requests):
    """The shortest time between two requests; 0 when there were not two."""
    moments = sorted(request.at for request in requests)  # they are noted in the order of their ends
    return min((later - earlier for earlier, later in zip(moments, moments[1:])), default=0.0)


def plain(name, fault, criterion, kind, method=None, times=None, pictures=2, hold=1.0, given_up=None):
    """A row whose play is: every request, or the first of a method, meets a fault; then all is well."""

    # A bound on time holds for a row that has the machine to itself.
    @row(name, fault, criterion, is_alone=given_up is not None)
    def play(stage):
        requests, drained = through(stage, kind, pictures, method, times, hold=hold, given_up=given_up)
        return (f"{stage.proxy.counts[kind]} faults in {len(requests)} requests, {stage.objects()} of {pictures} pictures there "
                f"{drained:.1f} s after it ended, {stage.duplicates()} duplicates avoided, {stage.parked} set aside meanwhile")


@row("U1.refused", "connection refused", "waits between attempts, resumes")
def refused(stage):
    """No process listens."""
    stage.serve()
    stage.proxy.down()
    stage.start()
    began = time.monotonic()
    stage.stored(2)
    stage.waits()
    time.sleep(1)
    failures = stage.target()["failures"]
    elapsed = time.monotonic() - began
    stage.proxy.up()
    drained = stage.drained()
    stage.expect(failures <= 15 * elapsed, f"{failures} attempts in {elapsed:.1f} s with pauses of 100 ms and more")
    return f"{failures} attempts in {elapsed:.1f} s, delivered {drained:.1f} s after somebody listened"


@row("U1.name", "a host name that does not resolve", "captures go on, shown, delivered after the configuration is mended")
def no_name(stage):
    """RFC 6761: .invalid never resolves."""
    stage.serve()
    right = stage.settings.targets[0].url
    stage.settings.targets[0].url = "http://receiver.invalid/"
    stage.start()
    stage.stored(2)
    seconds = stage.waits(15, "receiver.invalid")
    stage.expect(stage.service.stop() == 0, "the service did not stop")
    stage.settings.targets[0].url = right
    stage.start()
    return f"shown after {seconds:.1f} s, delivered {stage.drained():.1f} s after a start with the right name"


plain("U1.hole", "black hole: everything is taken, nothing said", "given up after the stall timeout (1 s here), resumes", "black-hole", hold=3.5, given_up=3)
plain("U1.body", "reset in the middle of the body", "sent again, one object", "reset-in-body", hold=1.0)
plain("U1.answer", "reset before the answer", "sent again, one object", "reset-before-response")
plain("U1.cut", "the answer is cut off (done at the server)", "one object, not sent twice as two", "cut-response", hold=0.0, method="PUT", times=2)


def throttled(name, kind, least, criterion, hold):
    """A row with a wish to wait: the time between two requests is at least what was asked, and never less than a second."""

    @row(name, f"{kind.replace('-', ' with Retry-After: ', 1)}", criterion)
    def play(stage):
        stage.serve(kind)
        # The pauses of the field: what is asked must hold against them, and without a wish they hold themselves.
        stage.settings.retry_minimum, stage.settings.retry_maximum = "1 s", "3 s"
        stage.settings.stall_timeout = stage.settings.connect_timeout = UNHURRIED
        stage.start()
        began = time.monotonic()
        # Two are sent beside each other: the second one comes when the answer to the first has been read.
        stage.stored(1)
        stage.waits()
        stage.stored(1)
        time.sleep(hold)
        requests = stage.proxy.since(began)
        elapsed = time.monotonic() - began
        stage.expect(bool(requests), "no request came")
        gap = spaced(requests)
        stage.expect(len(requests) <= elapsed + 3, f"{len(requests)} requests in {elapsed:.1f} s")
        stage.expect(len(requests) < 2 or gap >= least - 0.05, f"the next request came after {gap:.2f} s")
        stage.expect(stage.objects() == 0, "a picture is at the server")
        state = stage.target()
        stage.kill()
        stage.proxy.calm()
        stage.start()
        return (f"{len(requests)} requests in {elapsed:.1f} s, at least {gap:.1f} s apart; shown: next attempt in {state.get('nextAttemptSeconds') or 0:.1f} s; "
                f"delivered {stage.drained():.1f} s after a restart")


throttled("U2.seconds", "429-three-seconds", 3.0, "waits 3 s or longer", 7)
throttled("U2.date", "429-date", 1.0, "waits until the date by the server's own clock (2 s, in whole seconds)", 5)


@row("U2.absurd", "429 with Retry-After: the year 2038", "one request, a wait of an hour and no longer, over a restart, too; captures go on")
def absurd(stage):
    """The hour is not waited for: what is shown is believed, and the pictures are looked at in the spool."""
    stage.serve("429-absurd")
    stage.settings.stall_timeout = stage.settings.connect_timeout = UNHURRIED
    stage.start()
    began = time.monotonic()
    # Two are sent beside each other: the second one comes when the answer to the first has been read.
    reports = stage.stored(1)
    stage.waits()
    reports += stage.stored(1)
    stage.kill()
    stage.proxy.calm()
    stage.start()
    reports += stage.stored(1)
    time.sleep(2)
    requests, target = stage.proxy.since(began), stage.target()
    wait = target.get("nextAttemptSeconds") or 0
    stage.expect(len(requests) == 1, f"{len(requests)} requests came")
    stage.expect(3000 <= wait <= 3610, f"the next attempt is shown to be in {wait:.0f} s")
    stage.expect(stage.service.spool()["waiting"] == 3, "a picture does not wait")
    for report in reports:
        stage.expect(sha256(report["path"]) == report["sha256"], f"{report['itemID']} is not in the spool as acknowledged")
    stage.acknowledged.items.clear()
    return f"{len(requests)} request before and after a restart, next attempt shown in {wait:.0f} s, 3 pictures sound in the spool"


throttled("U2.negative", "429-negative", 1.0, "its own pause of 1 s or more", 4)
throttled("U2.missing", "429-missing", 1.0, "its own pause of 1 s or more", 4)
throttled("U2.busy", "503-missing", 1.0, "its own pause of 1 s or more", 4)

BASIC = 'auth_basic "rig"; auth_basic_user_file "{users}"; '


@row("U3.password", "a wrong password, then the right one in the file", "target paused and shown, queue kept, resumes in 60 s without a restart")
def password(stage):
    """A real nginx that asks for a password."""
    users, secret = os.path.join(stage.folder, "users"), os.path.join(stage.folder, "password")
    hashed = stage.run("openssl", "passwd", "-apr1", "right").strip()
    for path, text in ((users, f"campaign:{hashed}\n"), (secret, "wrong\n")):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    os.chmod(users, 0o644)
    stage.serve(template=template("autoindex on;", BASIC.format(users=users) + "autoindex on;"))
    target = stage.settings.targets[0]
    target.user, target.password_file = "campaign", secret
    stage.start()
    stage.stored(2)
    shown = stage.until("it is shown", lambda: "401" in (stage.target().get("detail") or ""), 10)
    stage.expect(stage.objects() == 0, "a picture is at the server")
    stage.expect("wrong" not in stage.service.log_tail(1000), "the password is in the log")
    with open(secret, "w", encoding="ascii") as file:
        file.write("right\n")
    drained = stage.drained(60)
    return f"shown after {shown:.1f} s, delivered {drained:.1f} s after the file was changed"


def template(old, new):
    """The receiver's configuration with something replaced."""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "lib", "receiver.conf")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if old not in text:
        raise ValueError(f"receiver.conf has no \"{old}\"")
    return text.replace(old, new)


plain("U3.forbidden", "403 to everything", "queue kept, resumes", "403")
plain("U4.head", "an answer whose fields never end", "given up, memory flat", "endless-head", hold=3.5, given_up=3)
plain("U4.interim", "a flood of interim answers", "given up, memory flat", "interim-flood", hold=3.5, given_up=3)
plain("U4.garbage", "what comes back is no HTTP", "not taken for an answer", "garbage")
plain("U4.portal", "200 with a page of the hotel's network", "not taken for a receipt", "garbage-under-200")
plain("U4.bomb", "an error with a body that would unpack to 100 MB", "memory flat", "gzip-bomb")


@row("U4.huge", "an error with a body of 100 MB", "no more leaves the server than the sockets hold, memory flat")
def huge(stage):
    """The limit for a body is 64 KiB; what the sockets hold comes on top."""
    requests, drained = through(stage, "huge-error", hold=1.0)
    taken = max(request.sent for request in requests)
    stage.expect(taken <= 8 << 20, f"{taken >> 20} MiB were taken of one answer")
    return f"at most {taken >> 10} KiB of 102400 left the server for one of {len(requests)} answers, delivered {drained:.1f} s after it ended"


plain("U4.slow", "an answer whose head comes with one byte a second", "given up after the stall timeout (1 s here)", "slow-response", hold=3.5, given_up=3)


@row("U4.trickle", "an answer whose body comes with one byte a second", "given up at the deadline: 60 s and the time for the bytes at 4 KiB/s", is_long=True)
def trickle(stage):
    """Bytes move all the time, so only the deadline ends it."""
    stage.serve("slow-body", times=1)
    stage.start()
    stage.stored(1)
    drained = stage.drained(150)
    stage.until("the proxy knows that it is alone", lambda: any(request.kind == "slow-body" for request in stage.proxy.seen), 10)
    kinds = [request for request in stage.proxy.seen if request.kind == "slow-body"]
    stage.expect(len(kinds) == 1 and 50 <= kinds[0].seconds <= 60 * PATIENCE, f"given up after {kinds[0].seconds if kinds else 0:.0f} s")
    return f"given up after {kinds[0].seconds:.0f} s, delivered {drained:.0f} s after the press"


plain("U6.error", "200 with an <Error> body, to everything", "never counts as delivered", "error-under-200")
plain("U6.error.move", "200 with an <Error> body to the MOVE", "looked at, sent again, one object", "error-under-200", "MOVE", 2, hold=0.0)
plain("U6.412", "412 to a MOVE that was never done", "looked at, not believed, one object", "412", "MOVE", 2, hold=0.0)
plain("U6.409", "409 to the first PUTs", "collections made, one object", "409", "PUT", 2, hold=0.0)
plain("U6.404", "404 to everything", "target blocked, queue kept, resumes", "404")
plain("U6.507", "507: the server has no room", "queue kept, resumes", "507")
plain("U6.500", "500 after it was done", "one object", "lie-after-doing", "MOVE", 2, hold=0.0)


@row("U6.redirect", "307 to another host", "not followed, no credentials sent there, queue kept")
def redirected(stage):
    """The other host listens and would tell."""
    secret = os.path.join(stage.folder, "password")
    with open(secret, "w", encoding="ascii") as file:
        file.write("sesame\n")
    stage.serve("redirect")
    target = stage.settings.targets[0]
    target.user, target.password_file = "campaign", secret
    stage.start()
    stage.stored(2)
    stage.until("the fault was met", lambda: stage.proxy.counts["redirect"] > 1, 10)
    came = len(stage.proxy.elsewhere.heads)
    stage.expect(came == 0, f"{came} requests came to the other host, {stage.proxy.elsewhere.credentials} with credentials")
    count = stage.proxy.counts["redirect"]
    stage.proxy.calm()
    return f"{count} redirects, 0 connections at the other host, delivered {stage.drained():.1f} s after it ended"


by_tests("U6.s3", "404 NoSuchUpload, <Error> under 200 of Complete and UploadPart", "new session; never done", "S3FaultTests")
by_tests("C1.signature", "a clock that is wrong by more than 5 minutes, and signatures that hold the time", "the skew is corrected, once",
         "S3TargetTests|S3ClockTests|S3RcloneTests")
by_tests("U6.tus", "tus 404 after the last PATCH, 409, 460", "ambiguous, looked at, created again", "TusFaultTests")


@row("U7.put", "the answer to a PUT is lost after the server stored it", "one object")
def lost_put(stage):
    """Twice."""
    through(stage, "lose-response", method="PUT", times=2)
    return f"{stage.objects()} objects for 2 pictures, 2 answers lost"


@row("U7.move", "the answer to a MOVE is lost after the server did it", "one object, counted as a duplicate avoided")
def lost_move(stage):
    """Twice, and in between a kill that forgets that there was an attempt."""
    through(stage, "lose-response", method="MOVE", times=2)
    avoided = stage.duplicates()
    stage.expect(avoided >= 1, f"{avoided} duplicates are counted")
    stage.proxy.use(Planned("lose-response", "MOVE", times=1))
    stage.stored(1)
    stage.until("the answer was lost", lambda: stage.proxy.counts["lose-response"] >= 3, 10)
    stage.kill()
    stage.proxy.calm()
    stage.start()
    drained = stage.drained()
    return f"{stage.objects()} objects for 3 pictures, {stage.duplicates()} duplicates avoided, one over a kill, drained in {drained:.1f} s"


def is_alive(process):
    """Whether a process has not ended, of which a parent may know nothing yet."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@row("U8.server", "the server is killed in the middle of uploads, and starts again", "resumes, one object each, nothing torn visible")
def server_dies(stage):
    """kill -9 of nginx and its workers, while bodies are on their way."""
    stage.serve()
    stage.start()
    kills = 0
    for _ in range(4):
        stage.stored(2)
        master = stage.receiver.process()
        workers = stage.run("ps", "-o", "pid=", "--ppid", str(master)).split()
        for process in (master, *map(int, workers)):
            os.kill(process, signal.SIGKILL)
        kills += 1
        # A worker that writes to a busy disk holds its port until that write has ended.
        stage.until("the server is gone", lambda: not any(map(is_alive, (master, *map(int, workers)))), 30)
        stage.stored(1)
        stage.receiver.start()
    drained = stage.drained()
    return f"{kills} kills, {stage.objects()} objects for {len(stage.acknowledged.items)} pictures, drained in {drained:.1f} s"


by_tests("U8.sessions", "server dies in the middle of a multipart or tus upload, upload ID expired", "resumes or begins anew", "S3PartsTests|TusTargetTests")
