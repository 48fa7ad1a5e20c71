/**
 * `npm run build:wordpress`: writes `dist-cms/ubik-chat-wordpress.zip`, which an administrator uploads, from the current `dist/bundle`. The
 * same sources give the same bytes. Fails when a translation is missing or unused.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFolder, readSharedFiles, readSourceDate } from './cms/bundle-files.mjs';
import {
  compareCatalog,
  findBlockTexts,
  findTexts,
  readCatalog,
  writeMachineCatalog,
  writeScriptCatalog,
  writeTemplate,
} from './cms/translations.mjs';
import { createZip } from './cms/zip.mjs';
import { ROOT } from './run-command.mjs';

const SLUG = 'ubik-chat';
const SOURCE = join(ROOT, 'integrations/wordpress');
const TARGET = join(ROOT, 'dist-cms/ubik-chat-wordpress.zip');
/** The handle of the script of the block, which is a part of the names of its translations. */
const BLOCK_SCRIPT = 'ubik-chat-block';

const sources = readFolder(SOURCE);
const read = (/** @type {string} */ name) => readFileSync(join(SOURCE, name), 'utf8');
const texts = [...sources.keys()]
  .filter((name) => /\.(?:php|js)$/.test(name))
  .flatMap((name) => findTexts(read(name)));
const blockTexts = findBlockTexts(read('block/block.json'));

/** @type {Map<string, Buffer | string>} */
const files = new Map([...sources, ...readSharedFiles('assets/')]);
files.set(`languages/${SLUG}.pot`, writeTemplate(texts, blockTexts));
for (const name of [...sources.keys()].filter((each) => each.endsWith('.po'))) {
  const [, language = ''] = /ubik-chat-(\w+)\.po$/.exec(name) ?? [];
  const catalog = readCatalog(read(name));
  const { missing, unused } = compareCatalog([...texts, ...blockTexts.values()], catalog);
  if (missing.length + unused.length > 0) {
    throw new Error(
      `${name} lacks ${JSON.stringify(missing)}, and no source uses ${JSON.stringify(unused)}.`,
    );
  }
  const base = `languages/${SLUG}-${language}`;
  files.set(`${base}.mo`, writeMachineCatalog(language, catalog, blockTexts));
  const ofBlock = findTexts(read('block/block.js'));
  files.set(`${base}-${BLOCK_SCRIPT}.json`, writeScriptCatalog(language, catalog, ofBlock));
}
const zip = createZip(
  new Map([...files].map(([name, content]) => [`${SLUG}/${name}`, content])),
  readSourceDate(),
);
mkdirSync(dirname(TARGET), { recursive: true });
writeFileSync(TARGET, zip);
console.log(
  `${TARGET.slice(ROOT.length)}: ${String(files.size)} files, ${(zip.length / 1000).toFixed(0)} kB`,
);
