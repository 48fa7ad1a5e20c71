import type { Json } from '../model/json.js';
import { cancelableEvent, plainEvent } from './event.js';

/** The values of the form of a gate, by the names of its fields. */
export interface GateValues {
  readonly [name: string]: Json;
}

/** What the user has accepted or filled in before the chat starts. */
export interface GateDetail {
  /** The version of the gate; empty when it has none. */
  readonly version: string;
  /** Empty for a gate without fields. */
  readonly values: GateValues;
}

/** Dispatched before the user passes the gate. If cancelled, the gate stays closed. */
export class UbikGatePassEvent extends cancelableEvent<GateDetail>('ubik-gate-pass') {}

/** Dispatched after the user has passed the gate. The chat connects afterwards. */
export class UbikGatePassedEvent extends plainEvent<GateDetail>('ubik-gate-passed') {}
