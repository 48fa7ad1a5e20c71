/**
 * Runs in a page: waits until pending loads have dispatched their events. The response to a later request arrives after them. Three
 * rounds, because a failed load may start another one.
 */
export async function waitForLoads(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await (await fetch(location.href)).text();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
