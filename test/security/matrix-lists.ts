import { ACCOUNT, DEVELOPER, OF_EACH_PRODUCT, type Row } from './matrix-rows.ts'

/** What is done with whole lists. */
export const OF_LISTS: Readonly<Record<string, Row>> = {
  'keywright/retrieve-list-total': DEVELOPER,
  'keywright/retrieve-account-list-total': OF_EACH_PRODUCT,
  'keywright/create-export': ACCOUNT,
  'keywright/list-exports': ACCOUNT,
  'keywright/list-export-columns': ACCOUNT,
  'keywright/retrieve-export': ACCOUNT,
  'keywright/create-bulk': DEVELOPER,
  'keywright/list-bulks': DEVELOPER,
  'keywright/retrieve-bulk': DEVELOPER,
  'keywright/list-bulk-items': DEVELOPER,
  'keywright/retry-bulk': DEVELOPER,
}
