import type { Shown } from './shown.ts'

const OVER_PRODUCTS = 'src/sales/account-lists.test.ts'
const NARROWED = [OVER_PRODUCTS, 'the filters of the list of a product narrow over all of them'] as const
const NAMED = [OVER_PRODUCTS, 'product_ids keeps the products that are named and the seller has'] as const
const TOLD_MORE = [
  OVER_PRODUCTS,
  'rows say of which product they are, and more when they are asked for it',
] as const
const ABOUT = ['user_id', 'install_id', 'license_id']
const NARROWED_EVENTS = [
  'src/events/log/narrowed-events.test.ts',
  'events are kept by user, install, license, type and how types begin, each for itself and together',
] as const
const LOG_OF_PRODUCTS = [
  OVER_PRODUCTS,
  'the log of the account is that of the products that are named, newest first',
] as const
const TRIALS_BY_STATE = [
  'src/licensing/trials/list.test.ts',
  'trials are listed by state, with the address of who tries',
] as const
const TRIALS = [
  'src/licensing/trials/list.test.ts',
  'the trials of all products are listed, newest first, and narrowed as those of one are',
] as const
const DISPUTES = [
  'src/sales/disputes/list.test.ts',
  'disputes are listed with how they ended, by state, environment and product',
] as const
const TRIALS_OF_ONE = [
  'src/licensing/trials/list.test.ts',
  'trials are narrowed to one user or license, of a product and of all, as is how many there are',
] as const
const DISPUTES_OF_ONE = [
  'src/sales/disputes/list.test.ts',
  'disputes are narrowed to those of one user, of a product and of all, beside other filters',
] as const
const REVIEWS_OF_ONE = [
  'src/catalogue/reviews/reviews.test.ts',
  'the seller lists what one user has written, or what was under one license; a public key learns nothing by it',
] as const
const CARTS_OF_ONE = [
  'src/sales/carts/list.test.ts',
  'carts are narrowed to those of one user, beside other filters, as is how many there are',
] as const
const SEARCH = 'src/sales/search/search.test.ts'

/** One test for several arguments of the query of an operation. */
const each = (operation: string, names: readonly string[], shown: Shown) =>
  Object.fromEntries(names.map((name) => [`${operation} query ${name}`, shown]))

const AUDIT = [
  'src/accounts/audit/read-audit.test.ts',
  'it is narrowed by actor, action, product, request and time, and goes on before an entry',
] as const
const MAILS = [
  'src/catalogue/mails/mails.test.ts',
  'mails of a product are listed newest first, in pages, by user and by state',
] as const
const SENT_OF_EACH = [
  'src/events/listeners/webhooks.test.ts',
  'attempts and deliveries of one environment are those of its events',
] as const
const MAILS_OF_EACH = [
  'src/catalogue/mails/mails.test.ts',
  'mails of the sandbox and live ones are listed each by themselves, by user and state too',
] as const
const OWN_TEXT = [
  'src/catalogue/mails/own-texts.test.ts',
  'a text that is not saved is shown as it would be mailed, and stays unsaved',
] as const
const PASSWORD_AGAIN = [
  'src/catalogue/keys/own-keys.test.ts',
  'with a wrong password no key is shown or replaced: ten are counted together, then the right one waits an hour',
] as const
const TOKENS = 'src/accounts/tokens/developer-tokens.test.ts'

const EXPORTS = 'src/lists/exports/exports.test.ts'
const OF_FILTER = [
  EXPORTS,
  'an export has exactly the rows of the filter of the list, of every product that is named',
] as const
const WHOLE = 'src/imports/account-export.test.ts'
const WHOLE_AGAIN = [
  WHOLE,
  'with a wrong password nothing is written and no address is shown: ten are counted together, then the right one waits an hour',
] as const
const OF_TOTAL = [
  'src/lists/totals/totals.test.ts',
  'a list of the demo has as many rows as are told, whatever it is narrowed by',
] as const
const OF_ACCOUNT_TOTAL = [
  'src/lists/totals/totals.test.ts',
  'a token that is narrowed to a product is told how many rows that one has, and nothing of the account',
] as const
const SORTED = 'src/lists/sorted-lists.test.ts'
const BY_AGE = [
  SORTED,
  'attempts and deliveries of a listener come the oldest first when they are sorted so',
] as const
const BULK = 'src/lists/bulk/bulk.test.ts'
const ONE_BY_ONE = [
  BULK,
  'a bulk action does to each what the operation on one does, and tells one by one what is refused, and why',
] as const

const DRY_RUN = [
  'src/imports/asked/imports.test.ts',
  'a dry run names what is wrong by kind, file and line, writes nothing, and is canceled',
] as const
const OF_PLATFORM = 'src/imports/asked/options-of-platform.test.ts'
const OF_SERVER = [
  'src/imports/asked/import-of-server.test.ts',
  'what another server has is looked at and brought, with methods of payment; methods of subscriptions that it has not are counted; its keys are sealed, never shown, and forgotten at the end',
] as const

/** Tests of what is done with whole lists. */
const OF_LISTS: Readonly<Record<string, Shown>> = {
  'keywright/retrieve-list-total query kind': OF_TOTAL,
  'keywright/retrieve-list-total query filter': OF_TOTAL,
  'keywright/retrieve-account-list-total query kind': OF_ACCOUNT_TOTAL,
  'keywright/retrieve-account-list-total query filter': OF_ACCOUNT_TOTAL,
  'keywright/list-webhook-deliveries query sort': BY_AGE,
  'keywright/list-webhook-attempts query sort': BY_AGE,
  'keywright/list-stores query sort': [
    SORTED,
    ' are sorted by title, whatever its case, or by age, narrowed to days, and counted',
  ],
  'keywright/list-disputes query sort': [
    SORTED,
    ' come the oldest first when they are sorted so, page by page, in a span too',
  ],
  'keywright/create-export body kind': OF_FILTER,
  'keywright/create-export body filter': OF_FILTER,
  'keywright/create-export body columns': OF_FILTER,
  'keywright/create-export body format': OF_FILTER,
  'keywright/create-export body time_zone': [
    EXPORTS,
    'times are those of the zone that is asked for: as its clocks show them in CSV, with the offset in JSON',
  ],
  'keywright/export-account body format': [
    WHOLE,
    'all that an account has comes as a ZIP file of the files that the command writes',
  ],
  'keywright/export-account body current_password': WHOLE_AGAIN,
  'keywright/show-export-address body current_password': WHOLE_AGAIN,
  'keywright/list-exports query kind': [
    WHOLE,
    'only the owner who is logged in asks for all of an account, sees that it was asked for, and has its file: no member, no key, no token and no other account',
  ],
  'keywright/create-bulk body action': ONE_BY_ONE,
  'keywright/create-bulk body ids': ONE_BY_ONE,
  'keywright/create-bulk body arguments': ONE_BY_ONE,
  'keywright/create-bulk body dry_run': [BULK, 'a dry run says what would happen to each and does nothing'],
  'keywright/create-bulk body filter': [
    BULK,
    'a filter is that of the list, and everything that it has when it is read is done, whatever that changes',
  ],
  'keywright/create-import body source': OF_SERVER,
  'keywright/create-import body dry_run': [
    'src/imports/asked/imports.test.ts',
    'what was looked at is brought in when it is started, told once, repeated without doubles, and undone',
  ],
  'keywright/create-import body leave_out': [
    'src/imports/asked/import-of-platform.test.ts',
    'rows of another platform that cannot come are left out where that is asked for, are told, and the others are undone as any',
  ],
  'keywright/create-import body shop': [
    OF_PLATFORM,
    'a second shop of a platform comes beside the first one under a name of its own',
  ],
  'keywright/create-import body renew_here': [
    OF_PLATFORM,
    'a method of payment that comes along renews its subscription here where that is asked for, and not otherwise',
  ],
  'keywright/create-import body url': OF_SERVER,
  'keywright/create-import body from_developer_id': OF_SERVER,
  'keywright/create-import body public_key': OF_SERVER,
  'keywright/create-import body secret_key': OF_SERVER,
  'keywright/list-import-report query kind': DRY_RUN,
  'keywright/list-import-report query count': DRY_RUN,
  'keywright/list-bulk-items query state': ONE_BY_ONE,
  'keywright/list-bulk-items query count': ONE_BY_ONE,
  'keywright/list-bulks query count': ONE_BY_ONE,
}

/** Tests of what is asked of an account over all its products, and of its tokens. */
export const SHOWN_OF_ACCOUNT: Readonly<Record<string, Shown>> = {
  ...OF_LISTS,
  ...each(
    'keywright/list-account-licenses',
    ['filter', 'plan_id', 'source', 'environment', 'search'],
    NARROWED,
  ),
  ...each('keywright/list-account-users', ['email', 'filter', 'search'], NARROWED),
  ...each(
    'keywright/list-account-payments',
    ['search', 'billing_cycle', 'currency', 'coupon_id', 'environment', 'filter', 'from', 'to'],
    NARROWED,
  ),
  ...each(
    'keywright/list-account-subscriptions',
    ['billing_cycle', 'search', 'gateway', 'plan_id', 'filter', 'sort', 'environment'],
    NARROWED,
  ),
  'keywright/list-account-licenses query product_ids': NAMED,
  'keywright/list-account-users query product_ids': NAMED,
  'keywright/list-account-payments query product_ids': NAMED,
  'keywright/list-account-subscriptions query product_ids': NAMED,
  'keywright/list-account-licenses query enriched': TOLD_MORE,
  'keywright/list-account-payments query extended': TOLD_MORE,
  'keywright/list-account-subscriptions query extended': TOLD_MORE,
  'keywright/list-account-subscriptions query enrich_with_cancellation_discounts': TOLD_MORE,
  ...each('keywright/list-account-trials', ['filter', 'from', 'to', 'environment', 'extended'], TRIALS),
  'keywright/list-account-trials query product_ids': TRIALS,
  'trials/list query filter': TRIALS_BY_STATE,
  'trials/list query extended': TRIALS_BY_STATE,
  ...each('keywright/list-account-disputes', ['product_ids', 'filter', 'environment'], DISPUTES),
  ...each('keywright/list-disputes', ['filter', 'environment', 'count'], DISPUTES),
  'keywright/retrieve-price-use query environment': [
    'src/sales/price-use/price-use.test.ts',
    'what is of the sandbox is counted by itself',
  ],
  ...each('trials/list', ['user_id', 'license_id'], TRIALS_OF_ONE),
  ...each('keywright/list-account-trials', ['user_id', 'license_id'], TRIALS_OF_ONE),
  ...each('keywright/list-disputes', ['user_id'], DISPUTES_OF_ONE),
  ...each('keywright/list-account-disputes', ['user_id'], DISPUTES_OF_ONE),
  ...each('reviews/list', ['user_id', 'license_id'], REVIEWS_OF_ONE),
  'carts/list query user_id': CARTS_OF_ONE,
  'reviews/list query filter': [
    'src/catalogue/reviews/reviews.test.ts',
    'the seller lists what is shown, hidden or featured; a public key alone is shown the same whatever it asks for',
  ],
  ...each('events/list', ABOUT, NARROWED_EVENTS),
  ...each('keywright/list-account-events', ABOUT, NARROWED_EVENTS),
  'keywright/list-account-events query product_ids': LOG_OF_PRODUCTS,
  'keywright/list-account-events query environment': LOG_OF_PRODUCTS,
  ...each(
    'keywright/list-audit',
    ['actor', 'action', 'product_id', 'request_id', 'from', 'to', 'before'],
    AUDIT,
  ),
  ...each('keywright/list-webhook-deliveries', ['environment'], SENT_OF_EACH),
  ...each('keywright/list-webhook-attempts', ['environment'], SENT_OF_EACH),
  ...each('keywright/list-mails', ['environment'], MAILS_OF_EACH),
  ...each('keywright/list-mails', ['user_id', 'state', 'count', 'offset'], MAILS),
  ...each('keywright/retrieve-mail-template', ['language'], OWN_TEXT),
  ...each('keywright/preview-mail-template', ['language'], OWN_TEXT),
  ...each('keywright/reset-mail-template', ['language'], OWN_TEXT),
  'keywright/preview-mail-text body button': OWN_TEXT,
  'keywright/test-mail-template body language': [
    'src/catalogue/mails/own-texts.test.ts',
    'an example is mailed to who is logged in and nobody else, at most 30 in an hour of an account',
  ],
  'keywright/create-developer-token body name': [
    TOKENS,
    'a token of the account opens developer scope, is shown once, and is listed with those of products',
  ],
  'keywright/create-developer-token body expires_in_days': [
    TOKENS,
    'a token of the account ends by itself, and at once when it is revoked',
  ],
  'keywright/create-developer-token body product_ids': [
    TOKENS,
    'a token that is narrowed to products reaches no other one, and nothing of the account beside them',
  ],
  'keywright/create-developer-token body rights': [
    TOKENS,
    'a token that is narrowed to rights may do these alone, and sees no more than they let it',
  ],
  ...Object.fromEntries(
    ['developer', 'store', 'product']
      .flatMap((holder) => [`show-${holder}-keys`, `renew-${holder}-keys`])
      .map((operation) => [`keywright/${operation} body current_password`, PASSWORD_AGAIN] as const),
  ),
  'keywright/search query q': [SEARCH, 'every kind is found by its id'],
  'keywright/search query count': [
    SEARCH,
    'the beginning of an address finds its users, whatever its case, by pages of count',
  ],
  'keywright/search query environment': [
    SEARCH,
    'the environment leaves out what is of the other one, and keeps what belongs to both',
  ],
}
