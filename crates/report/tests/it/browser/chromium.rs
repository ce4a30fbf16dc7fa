//! A browser, driven through the two pipes of its remote control: messages of the DevTools protocol,
//! each ended by a zero byte.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A browser that says nothing for so long never will, however slow the machine.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// A running browser with one open page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: String,
    sent: u64,
    profile: String,
    /// What happened since it was last asked.
    events: Vec<Value>,
}

impl Browser {
    /// Starts the browser that `scripts/browser` found; `None` if there is none. There must be one if
    /// `TRISTAN_REQUIRE` names it.
    pub fn start() -> Option<Self> {
        let program = std::env::var("TRISTAN_BROWSER").ok().filter(|path| !path.is_empty());
        let program = tristan_testkit::found("browser", program)?;
        let profile = tempfolder();
        // The browser takes orders on descriptor 3 and answers on 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", &program])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--remote-debugging-pipe", "--hide-scrollbars", "--no-first-run"])
            .arg(format!("--user-data-dir={profile}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let to = child.stdin.take().expect("a pipe");
        let from = messages(child.stdout.take().expect("a pipe"));
        let session = String::new();
        let mut browser = Self { child, to, from, session, sent: 0, profile, events: Vec::new() };
        browser.attach();
        Some(browser)
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", attach);
        self.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        // Keys go to the page even if the window of another browser has the focus.
        self.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
    }

    /// Sends a command and waits for its answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.ask(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same for commands that may fail.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).and_then(|()| self.to.flush()).expect("the browser listens");
        loop {
            let answer = self.receive();
            if answer["id"] == self.sent {
                return match answer["error"].is_null() {
                    true => Ok(answer["result"].clone()),
                    false => Err(answer["error"].clone()),
                };
            }
            self.events.push(answer);
        }
    }

    fn receive(&mut self) -> Value {
        self.from.recv_timeout(LONGEST_WAIT).expect("the browser answers")
    }

    /// Opens a file and waits until it is there.
    pub fn open(&mut self, file: &Path) {
        self.visit(&format!("file://{}", file.display()));
    }

    /// Opens an address and waits until it is there.
    pub fn visit(&mut self, address: &str) {
        self.events.clear();
        let page = self.call("Page.navigate", json!({ "url": address }));
        assert!(page["loaderId"].is_string(), "{address} is opened: {page}");
        // The page before may still be on its way, so the event must be that of this one.
        let is_loaded = |event: &Value| {
            let told = &event["params"];
            event["method"] == "Page.lifecycleEvent"
                && told["name"] == "load"
                && told["loaderId"] == page["loaderId"]
        };
        while !self.events.iter().any(is_loaded) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// Messages of the console and exceptions since the page was opened.
    pub fn complaints(&self) -> Vec<String> {
        let is_complaint = |event: &&Value| {
            let method = event["method"].as_str().unwrap_or_default();
            let methods = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
            methods.contains(&method)
        };
        self.events.iter().filter(is_complaint).map(ToString::to_string).collect()
    }

    /// Everything that was asked for since the page was opened, other than the page itself.
    pub fn requests(&self) -> Vec<String> {
        let asked =
            self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        let addresses = asked.map(|event| event["params"]["request"]["url"].to_string());
        addresses.filter(|address| !address.starts_with("\"file://")).collect()
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// The value of an expression, if there is a page to ask just now.
    pub fn try_eval(&mut self, expression: &str) -> Option<Value> {
        let params = json!({ "expression": expression, "returnByValue": true });
        let result = self.ask("Runtime.evaluate", params).ok()?;
        result["exceptionDetails"].is_null().then(|| result["result"]["value"].clone())
    }

    /// The number an expression gives.
    pub fn count(&mut self, expression: &str) -> u64 {
        let value = self.eval(expression);
        value.as_u64().unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str) {
        let params = json!({ "type": "keyDown", "key": key, "text": key });
        self.call("Input.dispatchKeyEvent", params);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Clicks at a place.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Sets the size of the window and whether people want dark pages.
    pub fn look(&mut self, width: u32, dark: bool) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        let feature = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": feature }));
    }

    /// Switches JavaScript off or on, for pages opened from now on.
    pub fn scripts(&mut self, enabled: bool) {
        let params = json!({ "value": !enabled });
        self.call("Emulation.setScriptExecutionDisabled", params);
    }

    /// A picture of the whole page, as PNG.
    pub fn screenshot(&mut self) -> Vec<u8> {
        let params = json!({ "format": "png", "captureBeyondViewport": true });
        let shot = self.call("Page.captureScreenshot", params);
        decoded(shot["data"].as_str().expect("a picture"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Without its pipes it would go by itself, a little later.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// What the browser says, message by message, until it is gone.
fn messages(pipe: ChildStdout) -> Receiver<Value> {
    let (to, from) = channel();
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while pipe.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
            let message =
                bytes.strip_suffix(&[0]).and_then(|json| serde_json::from_slice(json).ok());
            let Some(message) = message else { return };
            if to.send(message).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    from
}

/// A folder of its own for every browser of every process.
fn tempfolder() -> String {
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let name = format!("tristan-browser-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    folder.display().to_string()
}

/// The bytes behind base64.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => u32::from(letter - b'A'),
        b'a'..=b'z' => u32::from(letter - b'a') + 26,
        b'0'..=b'9' => u32::from(letter - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four.iter().fold(0, |bits, &letter| (bits << 6) | digit(letter));
        let bits = bits << (6 * (4 - four.len()));
        bytes.extend((0..four.len() - 1).map(|place| (bits >> (16 - 8 * place)) as u8));
    }
    bytes
}
