import type { UbikError } from '../errors.js';
import type { Clock } from '../dom/clock.js';
import type { FrameScheduler } from '../dom/frames.js';
import type { Locale } from '../locales/locale.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import type { DeclinedAnswer, Part, RequestAnswer, ToolFile } from '../model/part.js';
import type { CheckedLink } from '../markdown/url-policy.js';
import type { Thread } from '../model/thread.js';
import type { MessageRenderer } from './host-content.js';

/** What a part shows, in the page. */
export interface PartView {
  readonly node: HTMLElement;
  /** Where the views of the parts inside this one go. */
  readonly content: HTMLElement | null;
  /** The part grew, got new fields, or what is inside or behind it changed. Cheap: drawing waits for the frame. */
  update(part: Part, what: 'text' | 'fields' | 'parts'): void;
  /** Draws again what is not drawn by an update, because the page has changed its language or its rules. */
  redraw?(): void;
  /** Leads a person to it, where there is something to do. */
  focus?(): void;
  /** Gives back timers, addresses and boxes. The node is removed by whoever placed it. */
  dispose(): void;
}

/** A growing Markdown text in the page. */
export interface MarkdownBody {
  append(text: string): void;
  truncate(at: number): void;
  end(): Promise<void>;
  redraw(): void;
  dispose(): void;
}

/** What a person answered in a form. */
export type Answer = RequestAnswer<File> | DeclinedAnswer;

/** What a citation points to. */
export interface CitedPassage {
  readonly documentName: string | null;
  /** From 1; null when there are no pages. */
  readonly page: number | null;
  readonly text: string;
}

/** A checkpoint that was chosen: by its place in a message, or by what the list says of it. */
export interface RestorePoint {
  readonly name: string;
  readonly message?: Key;
  readonly part?: Key;
  readonly info?: {
    readonly taskId: string | null;
    readonly createdAt: number | null;
    readonly restorable: boolean;
  };
}

/** What views may ask of the element around them. Without an act the control for it is not shown. */
export interface ViewActions {
  /** Answers an armed request. Rejects when the service does not take it. */
  readonly provideInput?:
    | ((message: Key, request: Key, answer: Answer) => Promise<void>)
    | undefined;
  /** Asks whether to go back to a checkpoint. */
  readonly restore?: ((point: RestorePoint) => void) | undefined;
  /** The conversation as it is now. */
  readonly thread?: Thread | null;
  /** Why a text cannot be sent as a message, as a sentence; empty when it can. */
  readonly validateMessage?: (text: string) => string;
  /** Sends another version of a question. False when the page kept it; rejects when the service does not take it. */
  readonly edit?: ((message: Key, text: string) => Promise<boolean>) | undefined;
  /** Asks for another answer; ends as an edit does. */
  readonly regenerate?: ((message: Key) => Promise<boolean>) | undefined;
  /** Shows another version, by the service's name for it; ends as an edit does. */
  readonly switchBranch?: ((messageId: string) => Promise<boolean>) | undefined;
  /** Reads another version of a message, without a step to it. */
  readonly loadVersion?: ((message: Key, messageId: string) => Promise<void>) | undefined;
  /** Shows a map of all versions. */
  readonly openBranchMap?: (() => void) | undefined;
  /** Shows the way of a message beside the others that go on from the same place. */
  readonly compareBranches?: ((message: Key) => void) | undefined;
  /** Opens the menu of what else can be done with a message, at the button that asked for it; pressed again, closes it. */
  readonly openMenu?: ((message: Key, button: HTMLElement) => void) | undefined;
  /** Whether the host has taken a request over. */
  readonly isHandledByPage?: (message: Key, request: Key) => boolean;
  /** The files that the result of a tool names. */
  readonly findToolFiles?: ((result: string) => readonly ToolFile[]) | undefined;
  /** Bytes of a file that the service keeps, loaded with the person's rights. Rejects for every other address. */
  readonly loadToolFile?: ((address: string, signal: AbortSignal) => Promise<Blob>) | undefined;
  /** What a citation points to, by the service's name for it. */
  readonly loadPassage?: ((id: string, signal: AbortSignal) => Promise<CitedPassage>) | undefined;
  /** A remote picture was asked for; false keeps it from being loaded. */
  readonly shouldLoadImage?: (url: string) => boolean;
}

/** What makes Markdown, and judges addresses by the same rules. */
export interface MarkdownRenderer {
  /** The link, when one may lead there; else null. `text` is what a person reads on it. */
  checkLink(url: string, text?: string): CheckedLink | null;
  /** Makes the view of a growing Markdown text. `mark` makes what stands for an inline mark. */
  createMarkdown(container: HTMLElement, mark: (key: Key) => Node | null): MarkdownBody;
}

/** What all views of one outermost element share. */
export interface ViewContext extends MarkdownRenderer {
  /** The outermost element: boxes of host renderers become its children. */
  readonly host: HTMLElement;
  /** In front of each id and slot name of this root; no two roots share one. */
  readonly prefix: string;
  /** An id that no other element of the page has. */
  createId(): string;
  readonly locale: Locale;
  readonly frames: FrameScheduler;
  readonly clock: Clock;
  readonly actions: ViewActions;
  /** Whether technical details of errors may be shown. */
  readonly errorDetails: boolean;
  /** Draws a picture of who speaks beside a message, and more of what can be done with it, in the page's own way. */
  readonly messageAvatar?: MessageRenderer | undefined;
  readonly messageActions?: MessageRenderer | undefined;
  /** Takes what went wrong inside the views. */
  report(error: UbikError): void;
}

/** One message, as its part views see it. */
export interface MessageScope {
  readonly context: ViewContext;
  /** The message as it is now. */
  readonly message: Message;
  /** Whether the message is still being written or waits for input. */
  readonly live: boolean;
  /** What events told about a part of the content. */
  activityOf(part: Part): Part | undefined;
}
