/** The authenticated sender of a request. */
export interface Identity {
  /** The end user; null for the account, which may access all data. */
  readonly user: string | null;
}
