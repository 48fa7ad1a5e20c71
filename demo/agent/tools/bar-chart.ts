import { crc32Of } from './crc32.js';
import { deflateSync } from 'node:zlib';

const WIDTH = 640;
const BAR = 22;
const GAP = 10;
const MARGIN = 16;

/** Draws a horizontal bar chart as a PNG image; the longest bar is as wide as the image. */
export function drawBars(values: readonly number[]): Uint8Array {
  const bars = values.slice(0, 60);
  const height = MARGIN * 2 + bars.length * (BAR + GAP) - (bars.length > 0 ? GAP : 0);
  const longest = Math.max(1, ...bars);
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y += 1) {
    const index = Math.floor((y - MARGIN) / (BAR + GAP));
    const inside = y >= MARGIN && (y - MARGIN) % (BAR + GAP) < BAR;
    const value = inside ? (bars[index] ?? 0) : 0;
    rows.push(drawRow(Math.round(((WIDTH - MARGIN * 2) * Math.max(0, value)) / longest)));
  }
  return encodePng(WIDTH, height, Buffer.concat(rows));
}

/** Encodes one row of pixels: a filter byte, then a palette index for each pixel. */
function drawRow(filled: number): Buffer {
  const row = Buffer.alloc(1 + WIDTH);
  row.fill(1, 1 + MARGIN, 1 + MARGIN + filled);
  return row;
}

function encodePng(width: number, height: number, pixels: Buffer): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits for each pixel, colours from a palette.
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([255, 255, 255, 47, 111, 171])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32Of(body));
  return Buffer.concat([length, body, sum]);
}
