export {
  renderTranscript,
  type TranscriptMessage,
  type TranscriptOptions,
} from '../static/render-transcript.js';
export type { MessageFields } from '../model/message.js';
export type { PartTree } from '../model/part.js';
