/** Who makes a request. */
export interface Identity {
  /** The end user; null for the account itself, which sees everything. */
  readonly user: string | null;
}
