/** Waits frame by frame until `find` returns something, because rendering may take several frames on a busy machine, and loading code more. */
export async function waitFor<T>(find: () => T | null | undefined | false): Promise<T> {
  for (;;) {
    const found = find();
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
}
