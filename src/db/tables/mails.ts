import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Sealed } from './columns.ts'
import type { LeaseColumns } from './leases.ts'

/** The outbox: written with what changed, delivered by a job. */
export interface MailsTable extends LeaseColumns {
  id: Generated<number>
  developer_id: number
  product_id: number | null
  user_id: number | null
  /** The license that it is about; null: none, or several. */
  license_id: Generated<number | null>
  /** When it was written, on the clock of the sandbox that it is about; null: it is about none. */
  on_clock: Generated<UtcTime | null>
  /** 0 live, 1 about something of a sandbox. */
  environment: Generated<0 | 1>
  kind: string
  recipient: string
  /** JSON of subject, text and HTML; holds links that act, so it is sealed, and null once delivered or no longer kept. */
  content: Sealed | null
  state: 'pending' | 'sent' | 'failed'
  attempts: number
  /** Real time of the first failure of our own since the last answer; milliseconds. */
  failing_since: number | null
  /** Until when the content of a mail that was given up is kept; milliseconds. */
  keep_until: number | null
  created_at: number
  sent_at: number | null
  last_error: string | null
}

/** The texts that a product has of its own for its mails. */
export interface OwnMailTextsTable {
  product_id: number
  /** JSON: by the name of the mail, then by language. */
  texts: string
}
