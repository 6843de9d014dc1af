/** How many mails strangers have had sent in a while: to an address, for an install, from an address of the net. */
export interface MailCountsTable {
  /** `to:ada@example.com`, `install:7`, `from:192.0.2.1`. */
  name: string
  count: number
  /** When it begins anew, milliseconds. */
  until_ms: number
}
