import type { UbikError } from '../errors.js';
import type { Clock } from '../dom/clock.js';
import type { FrameScheduler } from '../dom/frames.js';
import type { Locale } from '../locales/locale.js';
import type { Json, Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import type { DeclinedAnswer, Part, PartKind, RequestAnswer, ToolFile } from '../model/part.js';
import type { CheckedLink } from '../markdown/url-policy.js';
import type { Thread } from '../model/thread.js';
import type { MessageRenderer } from './host-content.js';
import type { Rating } from './message-feedback.js';
import type { RendererRule } from './parts/renderer-types.js';

/** Renders one part. `MessageView` creates it, updates it and disposes it. */
export interface PartView {
  /** The current node of the view. A view that changes its node must itself replace the previous one in the document. */
  readonly node: HTMLElement;
  /** The container for the views of child parts; null if the kind has none. */
  readonly content: HTMLElement | null;
  /**
   * Called after the part has changed: its text has grown, its fields or activity have changed, or parts were added inside or after it.
   * Must be cheap: the view renders in the next frame.
   */
  update(part: Part, what: 'text' | 'fields' | 'parts'): void;
  /** Renders what `update` does not, after the language or the policy of the host page has changed. */
  redraw?(): void;
  /** Moves the focus to its first control. */
  focus?: (() => void) | undefined;
  /** Releases timers, listeners, object URLs and light DOM children. The caller removes the node. */
  dispose(): void;
}

/** Renders a growing Markdown text: the methods of `MarkdownView` that the views of messages use. */
export interface MarkdownBody {
  append(text: string): void;
  truncate(at: number): void;
  end(): Promise<void>;
  redraw(): void;
  dispose(): void;
}

/** The user's answer to an input request. */
export type Answer = RequestAnswer<File> | DeclinedAnswer;

/** The passage that a citation refers to. */
export interface CitedPassage {
  readonly documentName: string | null;
  /** From 1; null when the document has no pages. */
  readonly page: number | null;
  readonly text: string;
}

/** The checkpoint that the user has chosen: its part in a message, or its entry in the list of checkpoints. */
export interface RestorePoint {
  readonly name: string;
  readonly message?: Key;
  readonly part?: Key;
  readonly info?: {
    readonly runId: string | null;
    readonly createdAt: number | null;
    readonly restorable: boolean;
  };
}

/** What the enclosing element provides to the views: actions, data and queries. A control is rendered only if its action exists. */
export interface ViewActions {
  /** Answers a pending request. Rejects when the service does not accept the answer. */
  readonly provideInput?:
    | ((message: Key, request: Key, answer: Answer) => Promise<void>)
    | undefined;
  /** Opens the dialog that restores a checkpoint. */
  readonly restore?: ((point: RestorePoint) => void) | undefined;
  /** The current thread. */
  readonly thread?: Thread | null;
  /** Whether the service stores the times of steps and tools, so that a reload shows them, too. */
  readonly storesTimes?: boolean;
  /** Returns the reason why a text cannot be sent as a message, as a sentence; empty when it can. */
  readonly validateMessage?: (text: string) => string;
  /**
   * Sends another version of a user message. Resolves to false when the host page cancels it, and rejects when the service does not accept
   * it.
   */
  readonly edit?: ((message: Key, text: string) => Promise<boolean>) | undefined;
  /** Requests another answer. Settles like `edit`. */
  readonly regenerate?: ((message: Key) => Promise<boolean>) | undefined;
  /** Switches to another version of a message, by the service's id. Settles like `edit`. */
  readonly switchBranch?: ((messageId: string) => Promise<boolean>) | undefined;
  /** Loads another version of a message without switching to it. */
  readonly loadVersion?: ((message: Key, messageId: string) => Promise<void>) | undefined;
  /** Opens the details of a tool call. The focus returns to `button` when they are closed. */
  readonly openToolDetails?: ((message: Key, tool: Key, button: HTMLElement) => void) | undefined;
  /** Opens the map of branches. */
  readonly openBranchMap?: (() => void) | undefined;
  /** Opens the dialog that compares the branch of a message with the others from the same point. */
  readonly compareBranches?: ((message: Key) => void) | undefined;
  /**
   * Toggles the menu of a message at a button; with `rating`, gives or withdraws this rating of an answer, and asks for the reason at the
   * button. `onRated` is called when the rating has changed.
   */
  readonly openMenu?:
    | ((message: Key, button: HTMLElement, rating?: Rating, onRated?: () => void) => void)
    | undefined;
  /** Called after a message was copied. */
  readonly reportCopied?: (message: Key) => void;
  /** Whether the host page answers a request itself. */
  readonly isHandledByPage?: (message: Key, request: Key) => boolean;
  /** Returns the files in the result of a tool. */
  readonly findToolFiles?: ((result: string) => readonly ToolFile[]) | undefined;
  /** Whether a field with this name is one that the service adds to the data of tools. Such a field is not shown. */
  readonly isInternalField?: ((name: string) => boolean) | undefined;
  /** Loads a file of the service with the user's permissions. Rejects for any other URL. */
  readonly loadToolFile?: ((address: string, signal: AbortSignal) => Promise<Blob>) | undefined;
  /** Loads the passage of a citation, by the service's id. */
  readonly loadPassage?: ((id: string, signal: AbortSignal) => Promise<CitedPassage>) | undefined;
  /** Called before an image is loaded on request of the user; false prevents it. */
  readonly shouldLoadImage?: (url: string) => boolean;
}

/** Renders Markdown and checks URLs, both according to the policy of the host page. */
export interface MarkdownRenderer {
  /** Checks the URL of a link with the visible `text`; null when the policy does not allow it. */
  checkLink(url: string, text?: string): CheckedLink | null;
  /** Renders a growing text into a container. `mark` creates the node of an inline mark by its key. */
  createMarkdown(container: HTMLElement, mark: (key: Key) => Node | null): MarkdownBody;
}

/** The context that all views of one element of this library share. */
export interface ViewContext extends MarkdownRenderer {
  /** The element, to which the content of host renderers is appended. */
  readonly host: HTMLElement;
  /** Prefix of ids and slot names; unique among the elements of the page. */
  readonly prefix: string;
  /** Creates an id that is unique in the page. */
  createId(): string;
  readonly locale: Locale;
  readonly frames: FrameScheduler;
  readonly clock: Clock;
  readonly actions: ViewActions;
  /** Whether technical details of errors are shown. */
  readonly errorDetails: boolean;
  /** With `list`, the work before a finished answer is shown in full; otherwise it is summarized in one line. */
  readonly steps?: string;
  /** Renderers of the host page for the avatar and the actions of a message. */
  readonly messageAvatar?: MessageRenderer | undefined;
  readonly messageActions?: MessageRenderer | undefined;
  /** Renderers of the host page for parts in this element, which take precedence over those for all elements. */
  readonly renderers?: readonly RendererRule[] | undefined;
  /** Asks the host page on behalf of one of its renderers. Resolves to the answer of the page; to undefined when there is none. */
  askPage?(question: PageQuestion): Promise<unknown>;
  /** Loads an optional chunk of the bundle by its name. */
  loadExtra?(name: string): Promise<unknown>;
  /** Reports an error of the views or of a renderer of the host page. */
  report(error: UbikError): void;
}

/** A question that a renderer of the host page asks the page. */
export interface PageQuestion {
  readonly name: string;
  readonly data: Json;
  /** The service's id of the message; null if it has none yet. */
  readonly messageId: string | null;
  /** The kind of the part. */
  readonly kind: PartKind;
  /** The name of the tool; null for parts other than tool calls. */
  readonly tool: string | null;
}

/** One message, as its views see it. */
export interface MessageScope {
  readonly context: ViewContext;
  /** The message in its current state. */
  readonly message: Message;
  /** Whether the message is being written or waits for input. */
  readonly live: boolean;
  /** Whether disclosures of parts are open by default, as in the details of a tool call; false by default. */
  readonly isExpanded?: boolean;
  /** Returns the activity of a content part; for an activity part, the content part that it belongs to. */
  linkedPartOf(part: Part): Part | undefined;
  /** Updates the view of the parent of a part whose view has begun or ceased to show something. Undefined where no view depends on that. */
  updateParent?(part: Part): void;
  /** Creates the view of a part again, in the same place. Undefined where parts always have their built-in view. */
  replaceView?(part: Key): void;
}
