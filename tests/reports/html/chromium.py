"""A headless Chromium, spoken to through a pipe in the DevTools protocol."""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The program, or nothing."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Chromium:
    """Ends with the `with` block. `events` are those that nobody waited for."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4.
        take = f"exec 3<&{to_browser} 4>&{from_browser}; exec \"$@\""
        self._process = subprocess.Popen(
            ["bash", "-c", take, "bash", find(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={self.profile.name}"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._last = 0
        self._session = None
        self.events = []

    def __enter__(self):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility", "DOM"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(timeout=30)
        os.close(self._out)
        os.close(self._in)
        self.profile.cleanup()

    def _read(self, seconds=120):
        end = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(end - time.monotonic(), 0))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self._in, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self._buffer += more
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        """The answer to a command."""
        self._last += 1
        command = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._out, json.dumps(command).encode() + b"\0")
        while True:
            message = self._read()
            if message.get("id") == self._last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait_for(self, event):
        while not any(e.get("method") == event for e in self.events):
            self.events.append(self._read())

    def open(self, page, width=1280, height=900, dark=False, scripts=True, media=""):
        """Loads a file at that size; what went before is forgotten."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.send("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events.clear()
        self.send("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
        self.wait_for("Page.loadEventFired")

    def value(self, expression):
        """Of a JavaScript expression, or of what it promises."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def key(self, name, code=0):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def screenshot(self, file, whole=True):
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        pathlib.Path(file).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, file):
        printed = self.send("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        pathlib.Path(file).write_bytes(base64.b64decode(printed["data"]))
