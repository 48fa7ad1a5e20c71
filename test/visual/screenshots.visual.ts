import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compareScreenshots } from './compare.js';
import { Gallery } from './gallery-fixture.js';
import { COVERS, SHOTS, type Shots } from './shots.js';

const BASELINES = fileURLToPath(new URL('baselines/', import.meta.url));
/** The folder for screenshots that differ. */
const CHANGED = fileURLToPath(new URL('../../.cache/visual/', import.meta.url));
/** Writes the new screenshots instead of comparing them: `npm run visual -- --update`. */
const UPDATES = process.env['UPDATE_SCREENSHOTS'] === 'yes';

test('every stored screenshot belongs to a case', async () => {
  const taken = [...SHOTS, ...COVERS].flatMap(toFiles);
  assert.equal(new Set(taken).size, taken.length);
  const stored = await readdir(BASELINES);
  const orphans = stored.filter((file) => !taken.includes(file));
  if (UPDATES) await Promise.all(orphans.map((file) => rm(BASELINES + file)));
  else assert.deepEqual(orphans, []);
});

function toFiles({ name, cases }: Shots): string[] {
  return cases.map((one) => `${name}-${one}.png`);
}

suite('the gallery matches its stored screenshots', () => {
  let gallery: Gallery | null = null;
  /** The group of screenshots that the page shows. */
  let shown: Shots | undefined;

  before(async () => {
    await rm(CHANGED, { recursive: true, force: true });
    await mkdir(UPDATES ? BASELINES : CHANGED, { recursive: true });
    gallery = await Gallery.open();
  });
  after(() => gallery?.close());

  async function takeScreenshot(opened: Gallery, shots: Shots, name: string): Promise<string> {
    const covers = COVERS.includes(shots);
    if (shown !== shots) {
      await opened.show(shots.cases, shots);
      if (!covers) await opened.fitWindowToCases();
      shown = shots;
    }
    return opened.takeScreenshot(covers ? undefined : name);
  }

  for (const shots of [...SHOTS, ...COVERS]) {
    for (const name of shots.cases) {
      const file = `${shots.name}-${name}.png`;
      test(file, async (context) => {
        if (!gallery)
          return context.skip('The Chromium of the development packages does not run here.');
        const taken = await takeScreenshot(gallery, shots, name);
        const stored = await readFile(BASELINES + file, 'base64').catch(() => '');
        const { description, picture } = stored
          ? await compareScreenshots(gallery.page, stored, taken)
          : { description: 'There is no stored screenshot.', picture: null };
        if (description === null) return;
        if (UPDATES) return writeFile(BASELINES + file, taken, 'base64');
        await writeFile(CHANGED + file, taken, 'base64');
        if (picture) await writeFile(`${CHANGED}difference-${file}`, picture, 'base64');
        assert.fail(
          `${description} See .cache/visual/${file}; npm run visual -- --update accepts it.`,
        );
      });
    }
  }
});
