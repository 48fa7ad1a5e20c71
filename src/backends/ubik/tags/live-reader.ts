import type { Construct } from './content-sink.js';
import {
  isBlankText,
  messageOfDetails,
  parseCheckpoint,
  parseErrorMessage,
  parseRequest,
  parseStepHeader,
  trimBlanks,
} from './payload.js';
import { isStructural, type Tag } from './tag.js';
import { MAX_HELD, TagReader } from './tag-reader.js';
import type { TextHold } from './tag-splitter.js';

/**
 * Reads live text. Structural tags in it stay text (rule R7), unless an event is known that their construct belongs to. So a
 * construct is held until it is complete, and asked about.
 */
export class LiveReader extends TagReader {
  protected override tag(tag: Tag): boolean {
    const { state } = this;
    if (!isStructural(tag)) return super.tag(tag);
    if (/^(?:STEP|CHECKPOINT|INPUT|ERROR).*START/.test(tag.kind)) {
      this.holdText(tag);
      return true;
    }
    if (tag.kind !== 'STEP_END' || state.mergedSteps === 0) return false;
    state.mergedSteps -= 1;
    this.breakText();
    return true;
  }

  protected override follow(hold: TextHold, raw: string, tag?: Tag): void {
    const { start, text, flagEnd } = hold;
    const isStep = start.kind === 'STEP_START';
    if (!isStructural(start)) super.follow(hold, raw, tag);
    else if (tag?.kind === 'SINGLE_STEP_FLAG' && isStep && !flagEnd && isBlankText(text)) {
      hold.text += raw;
      hold.flagEnd = hold.text.length;
    } else if (tag) {
      const ends = isStep || tag.kind === start.kind.replace('START', 'END');
      if (!ends || !this.#claim(hold, text, isStep ? raw : '')) this.release(hold, raw);
    } else {
      hold.text += raw;
      // A step's construct ends with its header line, the first one that is not blank.
      const line =
        isStep &&
        raw.includes('\n') &&
        /^[ \t\r\n]*[^ \t\r\n][^\n]*(?=\n)/.exec(hold.text.slice(flagEnd));
      const end = line ? flagEnd + line[0].length : MAX_HELD + 1;
      if (end <= MAX_HELD && this.#claim(hold, hold.text.slice(0, end), hold.text.slice(end)))
        return;
      if (line || hold.text.length > MAX_HELD) this.release(hold);
    }
  }

  /** Whether a complete construct is more than text; `rest` stands behind it. */
  #claim(hold: TextHold, text: string, rest: string): boolean {
    const construct = readConstruct(hold, text);
    const fate = (construct && this.options.constructs?.claim(construct)) ?? 'literal';
    if (fate === 'literal') return false;
    this.state.hold = null;
    this.breakText();
    if (construct?.kind === 'step') this.state.mergedSteps += 1;
    if (fate !== 'merged') this.stand(fate.placed);
    this.again(rest);
    return true;
  }
}

function readConstruct({ start, flagEnd }: TextHold, text: string): Construct | null {
  const details = trimBlanks(text);
  const header = parseStepHeader(trimBlanks(text.slice(flagEnd)));
  switch (start.kind) {
    case 'STEP_START':
      return header && { kind: 'step', ...header, single: flagEnd > 0 };
    case 'CHECKPOINT_START':
      return { kind: 'checkpoint', ...parseCheckpoint(text) };
    case 'INPUT_REQUIRED_START':
      return { kind: 'request', ...parseRequest(text) };
    case 'ERROR_START':
      return { kind: 'error', message: parseErrorMessage(text), details: null };
    default:
      return { kind: 'error', message: messageOfDetails(details), details };
  }
}
