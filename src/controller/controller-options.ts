import type { Backend, NewThread } from '../backends/backend.js';
import type { Environment } from '../transport/environment.js';

/** Numbers that a host may change; all have the defaults of the protocol documents. Times in ms. */
export interface ControllerLimits {
  /** First step of the backoff: 500. */
  readonly backoffBase?: number;
  /** Longest step of the backoff: 30,000. */
  readonly backoffCap?: number;
  /** Tries without progress before the run is `interrupted`: 8. */
  readonly rejoinTries?: number;
  /** Silence before a stream counts as stalled: the backend's `idleLimit`. */
  readonly idleLimit?: number;
  /** Longest that silence may last after stalls that proved alive: 300,000. */
  readonly longestIdleLimit?: number;
  /** Longest wait that a service may ask for and get without the person: 60,000. */
  readonly longestRetryAfter?: number;
  /** How long a stream may be silent after a frozen page resumed: 1,000. */
  readonly resumeGrace?: number;
  /** How long one slice of work may take before the event loop gets its turn: 8. */
  readonly sliceBudget?: number;
  /** How long a draft rests in memory before it is stored: 300. */
  readonly draftDelay?: number;
}

/** What a controller is made from. */
export interface ControllerOptions {
  readonly backend: Backend;
  readonly environment?: Environment;
  readonly limits?: ControllerLimits;
  /** Whose data this is: drafts, notes and marks are kept under it. Without it, and with an empty one, nothing outlives the tab. */
  readonly userKey?: string | null;
  /** Whether unsent text is stored: true. Otherwise it lives as long as the controller, and what was stored before is removed when it is looked for. */
  readonly keepDrafts?: boolean;
  /** Service address and the like, to keep apart what belongs to different services. */
  readonly storageScope?: string;
  /**
   * Which of several conversations on a page this is: the thread that was open last, and what was written for a thread that is not
   * made yet, are stored under it. Controllers of one page with the same key (`''` by default) open each other's thread.
   */
  readonly storageKey?: string;
  /** Tells whether the page can be seen and is online; the elements hand in the browser's. */
  readonly page?: PageState;
  /** Options of the service for threads that the first message creates. */
  readonly newThread?: NewThread;
  /** Whether the controller stays open when its last holder lets go: true, since whoever makes it closes it. */
  readonly keep?: boolean;
  /** Told of what a listener threw; the page's `reportError` is meant. It is a diagnostic notice anyway. */
  readonly reportError?: (error: unknown) => void;
}

/** The page around the controller, as far as it matters to a connection. */
export interface PageState {
  readonly visible: boolean;
  readonly online: boolean;
  /** Calls back when the page becomes visible, comes online, is shown again or resumes; returns the way to stop it. */
  onWake(listener: (reason: 'visible' | 'online' | 'pageshow' | 'resume') => void): () => void;
  /** Calls back when the page goes into the back/forward cache or away. */
  onHide(listener: () => void): () => void;
}
