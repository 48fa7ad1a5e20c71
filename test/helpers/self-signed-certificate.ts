import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its private key, both in PEM. */
export interface SelfSignedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Creates a certificate for 127.0.0.1 with a new key. It is valid from 2020 to 2120, so that no test depends on the clock. */
export function createSelfSignedCertificate(): SelfSignedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // A distinguished name with a common name (2.5.4.3).
  const name = sequence(encode(SET, sequence(objectId('550403'), encode(UTF8, text('localhost')))));
  const addresses = sequence(encode(IP_ADDRESS, Buffer.from([127, 0, 0, 1])));
  // The extension `subjectAltName` (2.5.29.17).
  const subjectAltName = sequence(objectId('551d11'), encode(OCTETS, addresses));
  const content = sequence(
    // Version 3, whose value is 2, and the serial number 1.
    encode(VERSION, encode(INTEGER, Buffer.from([2]))),
    encode(INTEGER, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    sequence(encode(UTC_TIME, text('200101000000Z')), encode(TIME, text('21200101000000Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(EXTENSIONS, sequence(subjectAltName)),
  );
  // A bit string begins with its number of unused bits.
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]);
  const certificate = sequence(content, ECDSA_SHA256, encode(BITS, signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

// Tags of DER (X.690) and of the fields of a certificate (RFC 5280).
const INTEGER = 0x02;
const BITS = 0x03;
const OCTETS = 0x04;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;
const TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const IP_ADDRESS = 0x87;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

/** Encodes a value of at most 65,535 bytes as DER. */
function encode(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  const size = length < 128 ? [length] : long;
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...items: readonly Buffer[]): Buffer => encode(SEQUENCE, Buffer.concat(items));
const objectId = (hex: string): Buffer => encode(OBJECT_ID, Buffer.from(hex, 'hex'));
const text = (characters: string): Buffer => Buffer.from(characters, 'latin1');

/** `ecdsa-with-SHA256`. */
const ECDSA_SHA256 = sequence(objectId('2a8648ce3d040302'));
