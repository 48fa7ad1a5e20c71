/**
 * For a page: whatever loads, or fails to load, tells of it in a task of its own. An answer that is asked for after it comes behind
 * it; three in a row, because what fails may ask for something else.
 */
export async function waitForLoads(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await (await fetch(location.href)).text();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
