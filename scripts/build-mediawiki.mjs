/**
 * `npm run build:mediawiki`: writes `dist-cms/ubik-chat-mediawiki.zip`, the extension to be unpacked in `extensions/`, from the current
 * `dist/bundle`. The same sources give the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFolder, readSharedFiles, readSourceDate } from './cms/bundle-files.mjs';
import { createZip } from './cms/zip.mjs';
import { ROOT } from './run-command.mjs';

const TARGET = join(ROOT, 'dist-cms/ubik-chat-mediawiki.zip');
const sources = readFolder(join(ROOT, 'integrations/mediawiki'));
const files = [...sources, ...readSharedFiles('resources/')];
const zip = createZip(
  new Map(files.map(([name, content]) => [`UbikChat/${name}`, content])),
  readSourceDate(),
);
mkdirSync(dirname(TARGET), { recursive: true });
writeFileSync(TARGET, zip);
console.log(
  `${TARGET.slice(ROOT.length)}: ${String(files.length)} files, ${(zip.length / 1000).toFixed(0)} kB`,
);
