"""`ridge serve` over its own port: what it answers, what it refuses, how it ends."""

import http.client
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

import support

SECONDS = 20  # for anything that should take none
GOOD = support.SOURCE / "src" / "serialize" / "testdata" / "profile-heat2d.json"


def start(folder, *options):
    return subprocess.Popen([support.RIDGE, "serve", folder, *options], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=support.environment())


class Served(unittest.TestCase):
    """A folder with two results, served; no test of its own."""

    OPTIONS = ()

    def setUp(self):
        self.folder = support.own_folder(self)
        self.store("first")
        self.store("later/second")
        self.server = start(self.folder, *self.OPTIONS)
        line = self.server.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{64})/\n", line)
        self.assertTrue(found, line)
        self.port, self.token = int(found[1]), found[2]

    def tearDown(self):
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGINT)
        self.server.communicate(timeout=SECONDS)

    def store(self, name):
        (self.folder / name).mkdir(parents=True)
        shutil.copy(GOOD, self.folder / name / "profile.json")

    def ask(self, target, method="GET", host=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        if body:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def below(self, rest, **options):
        return self.ask(f"/{self.token}{rest}", **options)


class Serve(Served):
    def test_lists_opens_and_compares(self):
        answer, text = self.below("/")
        self.assertEqual(answer.status, 200)
        self.assertIn("later/second", text)
        answer, text = self.below("/open?name=first")
        self.assertEqual(answer.status, 200)
        self.assertIn("heat", text)
        answer, both = self.below("/open?name=first&name=later%2Fsecond")
        self.assertEqual(answer.status, 200)
        self.assertGreater(len(both), len(text))
        answer, text = self.below("/", method="HEAD")
        self.assertEqual((answer.status, text), (200, ""))

    def test_every_answer_has_the_headers(self):
        for rest in ("/", "/list.js", "/state", "/open?name=first", "/nothing"):
            answer, _ = self.below(rest)
            self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
            self.assertEqual(answer.headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(answer.headers["Cache-Control"], "no-store")

    def test_refuses(self):
        wrong = "0" * 64
        for target, options, status in (
            ("/", {}, 404),
            (f"/{wrong}/", {}, 404),
            (f"/{self.token}", {}, 404),
            (f"/{self.token}/", {"host": f"evil.example:{self.port}"}, 403),
            (f"/{self.token}/", {"method": "POST", "body": b"x" * 10}, 405),
            (f"/{self.token}/", {"method": "DELETE"}, 405),
            (f"/{self.token}/../../etc/passwd", {}, 404),
            (f"/{self.token}/open?name=..", {}, 404),
            (f"/{self.token}/open?name=%2e%2e%2f%2e%2e", {}, 404),
            (f"/{self.token}/open?name=/etc", {}, 404),
            (f"/{self.token}/open?name=first%00", {}, 400),
            (f"/{self.token}/open?name=" + "a" * 7000, {}, 404),
        ):
            with self.subTest(target=target[:90], **options):
                answer, text = self.ask(target, **options)
                self.assertIn(answer.status, {status, 400, 414})
                self.assertNotIn("root:", text)

    def test_garbage_does_not_end_it(self):
        for bytes_sent in (b"\0\0\0\0", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"A" * 20000,
                           b"GET /" + b"%2e" * 3000 + b" HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as connection:
                connection.sendall(bytes_sent)
        self.assertEqual(self.below("/")[0].status, 200)

    def test_new_and_broken_results_appear(self):
        state = self.below("/state")[1]
        self.assertEqual(self.below("/state")[1], state)
        self.store("new")
        (self.folder / "broken").mkdir()
        (self.folder / "broken" / "profile.json").write_text("{")
        self.assertNotEqual(self.below("/state")[1], state)
        text = self.below("/")[1]
        self.assertIn("open?name=new", text)
        self.assertNotIn("open?name=broken", text)
        self.assertIn("cannot be shown", text)

    def test_listens_on_the_loopback_only(self):
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        local = [line.split()[1] for line in lines if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{self.port:04X}", local)
        self.assertNotIn(f"00000000:{self.port:04X}", local)

    def test_ends_cleanly_and_a_taken_port_is_said(self):
        second = start(self.folder, "--port", str(self.port))
        _, errors = second.communicate(timeout=SECONDS)
        self.assertEqual(second.returncode, 4, errors)
        self.assertIn("--port", errors)
        for which in (signal.SIGINT, signal.SIGTERM):
            other = start(self.folder)
            other.stdout.readline()
            began = time.monotonic()
            other.send_signal(which)
            other.communicate(timeout=SECONDS)
            self.assertEqual(other.returncode, 0)
            self.assertLess(time.monotonic() - began, SECONDS)

    def test_bad_arguments(self):
        for arguments, code in ((["no-such-folder"], 3), ([], 2), ([".", "--port", "65536"], 2),
                                ([".", "--port", "x"], 2), ([".", "."], 2), ([".", "--timeout", "0"], 2),
                                ([".", "--connections", "0"], 2)):
            done = support.run([support.RIDGE, "serve", *arguments], check=False,
                               cwd=self.folder, env=support.environment(), timeout=SECONDS)
            self.assertEqual(done.returncode, code, done.stderr)


class SlowClients(Served):
    """Clients that never finish what they began, more than there are places. Nothing here is decided by a short time: the
    server gives them an hour, the tests wait for SECONDS at most."""

    OPTIONS = ("--timeout", "3600", "--connections", "32")
    SLOW = 60

    def setUp(self):
        super().setUp()
        self.slow = []
        for number in range(self.SLOW):
            client = socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)
            client.sendall((b"", b"GET /", b"GET / HTTP/1.1\r\nHost: x\r\nX: ")[number % 3])
            self.slow.append(client)

    def tearDown(self):
        for client in self.slow:
            client.close()
        super().tearDown()

    def test_others_are_answered(self):
        for _ in range(3):
            self.assertEqual(self.below("/")[0].status, 200)
        answer, text = self.below("/open?name=first")
        self.assertEqual(answer.status, 200)
        self.assertIn("heat", text)

    def test_the_oldest_made_room(self):
        self.assertEqual(self.below("/")[0].status, 200)
        for client in self.slow[:self.SLOW - 32]:
            try:
                self.assertEqual(client.recv(1), b"")
            except ConnectionResetError:
                pass  # closed before its bytes were read
        with self.assertRaises(TimeoutError):
            self.slow[-1].settimeout(0.2)
            self.slow[-1].recv(1)

    def test_signals_end_it(self):
        for which in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(signal=which):
                other = start(self.folder, *self.OPTIONS)
                port = int(re.search(r":(\d+)/", other.stdout.readline())[1])
                slow = [socket.create_connection(("127.0.0.1", port), timeout=SECONDS) for _ in range(20)]
                for client in slow:
                    client.sendall(b"GET / HTTP/1.1\r\n")
                other.send_signal(which)
                other.communicate(timeout=SECONDS)
                self.assertEqual(other.returncode, 0)
                for client in slow:
                    client.close()
        self.server.send_signal(signal.SIGTERM)
        self.server.communicate(timeout=SECONDS)
        self.assertEqual(self.server.returncode, 0)


class ShortTimes(Served):
    OPTIONS = ("--timeout", "1")

    def test_a_request_that_trickles_is_ended(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as client:
            client.sendall(b"GET / HTTP/1.1\r\n")
            self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 408 "))
        self.assertEqual(self.below("/")[0].status, 200)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
