// Keys that end a command while it runs on a terminal.

/** Calls `quit` when `q` is pressed, until the function is called that it returns. Ctrl-C stays a signal. */
export function watchKeys(quit: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const wasRaw = stdin.isRaw;
  const onData = (keys: Buffer): void => {
    // A terminal whose keys are read one by one makes no signal of Ctrl-C.
    if (keys.includes(0x03)) process.emit("SIGINT");
    else if (/q/i.test(keys.toString("latin1"))) quit();
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  return () => {
    stdin.off("data", onData);
    stdin.setRawMode(wasRaw);
    stdin.pause();
  };
}
