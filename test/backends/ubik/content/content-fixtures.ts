import { readdirSync, readFileSync } from 'node:fs';

/** A text of the service's format, and the outline of the parts it means. */
export interface ContentFixture {
  readonly name: string;
  readonly text: string;
  readonly parts: string;
}

const FOLDER = new URL('../../../fixtures/ubik/content/', import.meta.url);

/** All stored contents in `test/fixtures/ubik/content`. */
export function readContentFixtures(): ContentFixture[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .map((file) => {
      const name = file.slice(0, -'.txt'.length);
      return {
        name,
        text: readFileSync(new URL(file, FOLDER), 'utf8'),
        parts: readFileSync(new URL(`${name}.outline`, FOLDER), 'utf8'),
      };
    });
}
