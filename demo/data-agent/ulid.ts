import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Creates a ULID: ten digits of the time in milliseconds, then sixteen random digits. */
export function createUlid(): string {
  let time = Date.now();
  let prefix = '';
  for (let place = 0; place < 10; place += 1) {
    prefix = (DIGITS[time % 32] ?? '0') + prefix;
    time = Math.floor(time / 32);
  }
  return prefix + [...randomBytes(16)].map((byte) => DIGITS[byte % 32] ?? '0').join('');
}
