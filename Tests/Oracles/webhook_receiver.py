"""A receiver of webhooks that behaves as it is told, one behaviour for each post:

    webhook_receiver.py FOLDER SECRET BEHAVIOUR...

BEHAVIOUR is a status, "hang" (no answer) or "close" (the connection ends without one); the last one
stays. It writes its port to FOLDER/port and each post as a line of JSON to FOLDER/posts: what was
sent, and whether its signature holds by Python's own hmac.
"""

import hashlib
import hmac
import http.server
import json
import pathlib
import sys
import threading

FOLDER, SECRET, BEHAVIOURS = pathlib.Path(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
LOCK = threading.Lock()


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers the posts."""

    def do_POST(self):
        """Records the post and does what its turn says."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signature = dict(part.split("=", 1) for part in self.headers["Rawmill-Signature"].split(","))
        expected = hmac.new(SECRET, signature["t"].encode() + b"." + body, hashlib.sha256)
        with LOCK:
            behaviour = BEHAVIOURS.pop(0) if len(BEHAVIOURS) > 1 else BEHAVIOURS[0]
            with open(FOLDER / "posts", "a", encoding="utf-8") as posts:
                posts.write(json.dumps({
                    "body": body.decode(),
                    "id": self.headers["Rawmill-Event-Id"],
                    "attempt": int(self.headers["Rawmill-Attempt"]),
                    "isSigned": hmac.compare_digest(expected.hexdigest(), signature["v1"]),
                    "path": self.path,
                }) + "\n")
        if behaviour == "hang":
            self.connection.settimeout(60)
            self.connection.recv(1)
            self.close_connection = True
        elif behaviour == "close":
            self.close_connection = True
        else:
            self.send_response(int(behaviour))
            # Were it followed, it would be a post of its own, or a GET, which has no handler.
            if behaviour == "302":
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *arguments):
        """Says nothing."""


def main():
    """Serves until it is killed."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    (FOLDER / "port.new").write_text(str(server.server_port))
    (FOLDER / "port.new").rename(FOLDER / "port")
    server.serve_forever()


main()
