import { crc32Of } from './crc32.js';
import { deflateSync } from 'node:zlib';

// All sizes are in pixels.
const WIDTH = 640;
const BAR = 22;
const GAP = 10;
const MARGIN = 16;
const PIE_SIZE = 360;

type Colour = readonly [red: number, green: number, blue: number];

const WHITE: Colour = [255, 255, 255];
/** The colours of slices; bars have the first. */
const COLOURS: readonly Colour[] = [
  [47, 111, 171],
  [217, 119, 54],
  [60, 145, 108],
  [176, 74, 120],
  [120, 98, 184],
  [196, 160, 42],
  [92, 170, 196],
  [128, 128, 128],
];

/** Draws the first 60 values as a horizontal bar chart, a PNG image. The longest bar reaches from margin to margin, unless all values are below 1. */
export function drawBars(values: readonly number[]): Uint8Array {
  const bars = values.slice(0, 60);
  const height = MARGIN * 2 + bars.length * (BAR + GAP) - (bars.length > 0 ? GAP : 0);
  const longest = Math.max(1, ...bars);
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y += 1) {
    const index = Math.floor((y - MARGIN) / (BAR + GAP));
    const inside = y >= MARGIN && (y - MARGIN) % (BAR + GAP) < BAR;
    const value = inside ? (bars[index] ?? 0) : 0;
    rows.push(encodeBarRow(Math.round(((WIDTH - MARGIN * 2) * Math.max(0, value)) / longest)));
  }
  return encodePng(WIDTH, height, Buffer.concat(rows));
}

/** Draws a pie chart as a PNG image, its slices clockwise from the top. */
export function drawPie(values: readonly number[]): Uint8Array {
  const sizes = values.map((value) => Math.max(0, value));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let sum = 0;
  const ends = sizes.map((size) => (sum += size) / total);
  const rows = Array.from({ length: PIE_SIZE }, (_, y) => {
    const row = Buffer.alloc(1 + PIE_SIZE);
    for (let x = 0; x < PIE_SIZE; x += 1) row[1 + x] = findSliceColour(ends, x, y);
    return row;
  });
  return encodePng(PIE_SIZE, PIE_SIZE, Buffer.concat(rows));
}

/** Palette index of a pixel. `ends` are the ends of the slices as fractions of the whole turn. */
function findSliceColour(ends: readonly number[], x: number, y: number): number {
  const centre = PIE_SIZE / 2;
  const [right, down] = [x + 0.5 - centre, y + 0.5 - centre];
  if (Math.hypot(right, down) > centre - MARGIN) return 0;
  const turn = (Math.atan2(right, -down) / (2 * Math.PI) + 1) % 1;
  const slice = ends.findIndex((end) => turn <= end);
  return slice < 0 ? 0 : 1 + (slice % COLOURS.length);
}

/** Encodes a row of pixels that contains a bar of `filled` pixels: a filter byte, then a palette index for each pixel. */
function encodeBarRow(filled: number): Buffer {
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
    chunk('PLTE', Buffer.from([WHITE, ...COLOURS].flat())),
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
