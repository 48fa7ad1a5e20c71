/** Writes zip files (APPNOTE 6.3) without dependencies. The same files and the same date give the same bytes. */
import { deflateRawSync } from 'node:zlib';

/** Bit 11: names are UTF-8. */
const FLAGS = 0x0800;
/** The compression method deflate. */
const DEFLATED = 8;
/** The mode `-rw-r--r--` of a Unix file. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;
/** Unix (3), with version 2.0 of the format. */
const MADE_BY_UNIX = (3 << 8) | 20;

/** The CRC-32 of each byte value, by the reversed polynomial 0xEDB88320. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {Uint8Array} data */
function crc32(data) {
  let value = 0xffffffff;
  for (const byte of data) value = (CRC_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/**
 * Returns a date and its time in the format of MS-DOS, with the time in the lower 16 bits and a resolution of two seconds. The format has no
 * time zone; this is UTC.
 *
 * @param {Date} date from 1980 on
 */
function toDosDate(date) {
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

/**
 * Returns the fields that the local and the central header of a file share, from the version that is needed to extract it (2.0) to the
 * length of the extra field (0).
 *
 * @param {{ date: Date, crc: number, packed: number, size: number, nameLength: number }} file
 */
function describeFile({ date, crc, packed, size, nameLength }) {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(FLAGS, 2);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt32LE(toDosDate(date), 6);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(nameLength, 22);
  return fields;
}

/**
 * Packs files in the order of their names.
 *
 * @param {ReadonlyMap<string, Buffer | string>} files by path in the zip file
 * @param {Date} date of all files
 * @returns {Buffer}
 */
export function createZip(files, date) {
  /** @type {Buffer[]} */
  const locals = [];
  /** @type {Buffer[]} */
  const central = [];
  let offset = 0;
  for (const [path, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const name = Buffer.from(path);
    const data = Buffer.from(content);
    const packed = deflateRawSync(data, { level: 9 });
    const fields = describeFile({
      date,
      crc: crc32(data),
      packed: packed.length,
      size: data.length,
      nameLength: name.length,
    });
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, name, packed]);
    // Of these fields, only the attributes and the offset of the local header are not 0.
    const location = Buffer.alloc(14);
    location.writeUInt32LE(ATTRIBUTES, 6);
    location.writeUInt32LE(offset, 10);
    const madeBy = Buffer.alloc(2);
    madeBy.writeUInt16LE(MADE_BY_UNIX);
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), madeBy, fields, location, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
