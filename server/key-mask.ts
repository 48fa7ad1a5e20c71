import { Transform } from 'node:stream';

/**
 * A stream that lets bytes pass and puts stars in the place of a key, so that a service that quotes it, as in an error, does not hand it
 * to a page. Nothing changes its length. Of what passes only the beginning of what may be the key is held back.
 */
export function createKeyMask(key: string): Transform {
  const wanted = Buffer.from(key, 'latin1');
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const bytes = Buffer.concat([held, piece]);
      for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at)) {
        bytes.fill('*', at, at + wanted.length);
      }
      const sure = bytes.length - countBegun(bytes, wanted);
      held = bytes.subarray(sure);
      done(null, bytes.subarray(0, sure));
    },
    flush(done) {
      done(null, held);
    },
  });
}

/** How many of the last bytes may be the beginning of what is wanted. */
function countBegun(bytes: Buffer, wanted: Buffer): number {
  let count = Math.min(wanted.length - 1, bytes.length);
  while (!bytes.subarray(bytes.length - count).equals(wanted.subarray(0, count))) count -= 1;
  return count;
}
