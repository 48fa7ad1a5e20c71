export * from '../backends/ubik/index.js';
export { settle, type SettledPart } from '../model/settle.js';
