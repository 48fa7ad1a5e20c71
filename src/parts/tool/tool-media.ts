import { element } from '../../internal/element.js';
import type { Json } from '../../model/json.js';
import type { ViewContext } from '../part-view.js';
import { parseJson } from './json-tree.js';

/** Pictures and files of one result that are shown. */
const SHOWN = 20;
/** Objects of a result that are looked at. */
const LOOKED_AT = 2000;
/** Kinds that the browser draws without running anything. No SVG: it is a document. */
const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

/** A file that a tool made. */
export interface Media {
  readonly name: string;
  readonly url: string;
}

/** The files that a result names, wherever in it they stand. */
export function findMedia(raw: string | null): readonly Media[] {
  if (!raw?.includes('media_reference')) return [];
  const found: Media[] = [];
  const open: unknown[] = [parseJson(raw)];
  for (let looked = 0; open.length > 0 && looked < LOOKED_AT && found.length < SHOWN; looked++) {
    const value = open.shift();
    if (typeof value !== 'object' || value === null) continue;
    const media = toMedia(new Map(Object.entries(value as Record<string, Json>)));
    if (media) found.push(media);
    else open.push(...(Object.values(value) as unknown[]).slice(0, LOOKED_AT));
  }
  return found;
}

/** The service keeps assets under its own address; `url` may name another host and is the last resort. */
function toMedia(fields: ReadonlyMap<string, Json>): Media | null {
  if (fields.get('type') !== 'media_reference') return null;
  const [tool, execution, asset] = ['tool_id', 'execution_id', 'asset_filename'].map((name) => {
    const value = fields.get(name);
    return typeof value === 'string' && value ? value : null;
  });
  const url = fields.get('url');
  const name = asset ?? (typeof url === 'string' ? (url.split('/').at(-1) ?? '') : '');
  if (tool && execution && asset) {
    const path = [tool, execution, asset].map(encodeURIComponent).join('/');
    return { name, url: `assets/tools/${path}` };
  }
  return typeof url === 'string' && url ? { name, url } : null;
}

/** Shows the files of a result: pictures by themselves, the rest to be saved. All are loaded with the person's rights. */
export class ToolMedia {
  readonly node = element('div', 'media');
  readonly #context: ViewContext;
  readonly #abort = new AbortController();

  constructor(files: readonly Media[], context: ViewContext) {
    this.#context = context;
    for (const file of files) {
      if (PICTURE.test(file.name)) void this.#showPicture(file);
      else this.node.append(this.#createSave(file));
    }
  }

  dispose(): void {
    this.#abort.abort();
  }

  async #showPicture(file: Media): Promise<void> {
    const place = element('figure', '', element('bdi', 'meta', file.name));
    this.node.append(place);
    await this.#load(file, place, (address) => {
      const picture = element('img');
      picture.alt = file.name;
      // The picture is drawn by then; the address would hold its bytes for the life of the page.
      picture.addEventListener('load', () => {
        URL.revokeObjectURL(address);
      });
      picture.src = address;
      place.replaceChildren(picture);
    });
  }

  #createSave(file: Media): HTMLElement {
    const words = this.#context.locale.text('mediaSave', { name: file.name });
    const button = element('button', 'quiet', words);
    button.type = 'button';
    button.addEventListener('click', () => {
      void this.#load(file, button, (address) => {
        const link = element('a');
        link.href = address;
        link.download = file.name;
        link.click();
        URL.revokeObjectURL(address);
      });
    });
    return button;
  }

  async #load(file: Media, place: HTMLElement, use: (address: string) => void): Promise<void> {
    const { signal } = this.#abort;
    const { acts, locale } = this.#context;
    try {
      const blob = await acts.media?.(file.url, signal);
      if (blob && !signal.aborted) use(URL.createObjectURL(blob));
    } catch {
      // The reason lies in the network; the person is told where the file would stand.
      if (!signal.aborted) place.textContent = locale.text('mediaFailed', { name: file.name });
    }
  }
}
