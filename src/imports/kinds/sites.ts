import {
  choice,
  created,
  dates,
  environment,
  flag,
  id,
  inOrder,
  inProduct,
  integer,
  kind,
  named,
  NULL,
  off,
  text,
  time,
  to,
  type Kind,
} from './column.ts'

const OF_INSTALL = [{ column: 'install_id', of: 'installs' }]

const metadata = kind({
  table: 'install_metadata',
  says: 'what the owner of an install lets it tell',
  ownedBy: OF_INSTALL,
  columns: {
    id: id(),
    install_id: to('installs'),
    permits_user: off(),
    permits_site: off(),
    permits_extensions: off(),
    ...dates,
  },
  unique: [{ columns: ['install_id'] }],
})

const installToken = kind({
  table: 'install_tokens',
  says: 'tokens of installs, as hashes: the tokens go on working',
  ownedBy: OF_INSTALL,
  columns: {
    id: id(),
    install_id: to('installs'),
    token_hash: text(64, { form: 'sha256' }),
    ...created,
  },
  unique: [{ columns: ['token_hash'] }],
})

const clone = kind({
  table: 'install_clones',
  says: "sites that came with an install's data",
  columns: {
    id: id(),
    product_id: to('products'),
    install_id: to('installs'),
    new_install_id: to('installs', NULL),
    install_url: text(),
    site_url: text(),
    state: choice(['pending', 'resolved']),
    resolution: choice(['temporary_duplicate', 'new_home', 'long_term_duplicate'], NULL),
    ...dates,
  },
  unique: [
    {
      columns: ['install_id', 'site_url'],
      where: (row) => row['state'] === 'pending',
      sql: `state = 'pending'`,
    },
  ],
})

const marketItem = kind({
  table: 'market_items',
  says: 'plugins and themes that an install told of',
  ownedBy: OF_INSTALL,
  columns: {
    id: id(),
    install_id: to('installs'),
    slug: text(500),
    title: text(2_048),
    type: choice(['plugin', 'theme']),
    version: text(500),
    is_active: off(),
    ...dates,
  },
  unique: [{ columns: ['install_id', 'type', 'slug'] }],
})

const uninstall = kind({
  table: 'uninstalls',
  says: 'why installs were removed',
  made: ['reason_folded'],
  columns: {
    id: id(),
    product_id: to('products'),
    install_id: to('installs', NULL),
    site_id: named(NULL),
    uid: text(255),
    reason_id: integer({ max: 1_000 }),
    reason_info: text(20_000, { default: '' }),
    ...dates,
  },
  unique: [
    { columns: ['install_id'], where: (row) => row['install_id'] !== null, sql: 'install_id is not null' },
    {
      columns: ['product_id', 'uid'],
      where: (row) => row['install_id'] === null,
      sql: 'install_id is null',
    },
  ],
})

const skipped = kind({
  table: 'skipped_sites',
  says: 'sites whose owner skipped the opt-in',
  key: ['product_id', 'uid'],
  columns: { product_id: to('products'), uid: text(255), ...created },
})

const trial = kind({
  table: 'trials',
  says: 'trials of installs and of buyers',
  unhashed: ['notice', 'notice_at'],
  columns: {
    id: id(),
    product_id: to('products'),
    user_id: to('users'),
    install_id: to('installs', NULL),
    uid: text(255),
    plan_id: inProduct('plans'),
    license_id: to('licenses', NULL),
    payment_id: named(NULL),
    subscription_id: named(NULL),
    started_at: time(),
    trial_ends_at: time(),
    with_payment_method: off(),
    canceled_at: time(NULL),
    converted_at: time(NULL),
    environment: environment(),
    notice: integer({ default: 0, max: 1_000 }),
    notice_at: time(NULL),
    is_unproven: off(),
    is_by_key: off(),
    ...dates,
  },
  unique: [
    { columns: ['product_id', 'uid', 'user_id'] },
    { columns: ['install_id'], where: (row) => row['install_id'] !== null, sql: 'install_id is not null' },
    {
      columns: ['product_id', 'user_id', 'environment'],
      where: (row) => row['is_by_key'] === true,
      sql: 'is_by_key = 1',
    },
  ],
  rules: [inOrder('started_at', 'trial_ends_at')],
})

const tried = kind({
  table: 'tried_sites',
  says: 'on which sites a trial of a buyer was used',
  ownedBy: [{ column: 'trial_id', of: 'trials' }],
  columns: {
    id: id(),
    trial_id: to('trials'),
    user_id: to('users'),
    uid: text(255),
    install_id: to('installs', NULL),
  },
  unique: [{ columns: ['user_id', 'uid', 'trial_id'] }],
})

const review = kind({
  table: 'reviews',
  says: 'reviews of products',
  columns: {
    id: id(),
    product_id: to('products'),
    user_id: named(NULL),
    license_id: named(NULL),
    external_id: text(255, { default: '' }),
    rate: integer({ max: 100 }),
    title: text(2_048, { default: '' }),
    text: text(20_000),
    name: text(2_048),
    job_title: text(2_048, { default: '' }),
    company: text(2_048, { default: '' }),
    company_url: text(2_048, { default: '' }),
    picture: text(2_048, { default: '' }),
    profile_url: text(2_048, { default: '' }),
    is_verified: flag({ default: true }),
    is_featured: off(),
    is_active: off(),
    ...dates,
  },
  unique: [
    { columns: ['license_id'], where: (row) => row['license_id'] !== null, sql: 'license_id is not null' },
  ],
})

/** What hangs on it. */
export const SITES: readonly Kind[] = [
  metadata,
  installToken,
  clone,
  marketItem,
  uninstall,
  skipped,
  trial,
  tried,
  review,
]
