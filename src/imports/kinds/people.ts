import {
  choice,
  created,
  dates,
  flag,
  id,
  keyPair,
  kind,
  moved,
  named,
  NULL,
  off,
  source,
  text,
  time,
  to,
  type Column,
  type Kind,
} from './column.ts'

const line = () => text(500, { default: '' })

const user = kind({
  table: 'users',
  says: 'persons, one for each address of the account; passwords as hashes',
  ownedBy: [{ column: 'developer_id', of: null }],
  made: ['developer_id', 'email_folded'],
  columns: {
    id: id(),
    /** Empty of an erased person. */
    email: text(254, { form: 'address' }),
    first: line(),
    last: line(),
    picture: text(2_048, { default: '' }),
    ip: text(45, NULL),
    is_verified: off(),
    password_hash: text(500, NULL),
    auth: choice(['password', 'app2fa'], { default: 'password' }),
    last_login_at: time(NULL),
    email_status: choice(['delivered', 'bounce', 'dropped'], NULL),
    came_with: text(100, NULL),
    language: choice(['en', 'de'], NULL),
    ...dates,
  },
  unique: [{ columns: ['email_folded'], inAccount: true }],
})

const productUser = kind({
  table: 'product_users',
  says: 'a person as the user of a product, with the keys that the seller is shown',
  key: ['user_id', 'product_id'],
  made: ['email_folded', 'name_folded'],
  columns: {
    user_id: to('users'),
    product_id: to('products'),
    ...keyPair('product_users.secret_key'),
    reach: choice(['whole', 'own'], { default: 'whole' }),
    note: text(10_000, { default: '' }),
    is_marketing_allowed: flag(NULL),
    is_beta: off(),
    is_paying: off(),
    gross: moved({ default: 0 }),
    source: source(),
    ...dates,
  },
  unique: [{ columns: ['public_key'] }],
})

const ADDRESS: Readonly<Record<string, Column>> = {
  business_name: line(),
  first: line(),
  last: line(),
  email: line(),
  phone: line(),
  website: text(2_048, { default: '' }),
  tax_id: line(),
  address_street: line(),
  address_apt: line(),
  address_city: line(),
  address_country: line(),
  address_country_code: text(2, { default: '', form: 'country' }),
  address_state: line(),
  address_zip: line(),
  ...dates,
}

const billing = kind({
  table: 'billing',
  says: 'the billing address of a person',
  ownedBy: [{ column: 'user_id', of: 'users' }],
  columns: { id: id(), user_id: to('users'), ...ADDRESS },
  unique: [{ columns: ['user_id'] }],
})

/** Persons, before what they have. */
export const PEOPLE: readonly Kind[] = [user, productUser, billing]

const userKey = kind({
  table: 'user_keys',
  says: 'key pairs that were handed out for a user of a product',
  columns: {
    id: id(),
    product_id: to('products'),
    user_id: to('users'),
    install_id: to('installs', NULL),
    reach: choice(['whole', 'own']),
    proof_product_id: named(NULL),
    email_folded: text(254, NULL),
    ...keyPair('user_keys.secret_key'),
    ...created,
  },
  unique: [
    { columns: ['public_key'] },
    { columns: ['install_id'], where: (row) => row['install_id'] !== null, sql: 'install_id is not null' },
  ],
})

const OF_PAIR = [{ column: 'user_key_id', of: 'user_keys' }]

const pairLicense = kind({
  table: 'user_key_licenses',
  says: 'the licenses that a key pair reaches',
  key: ['user_key_id', 'license_id'],
  ownedBy: OF_PAIR,
  columns: { user_key_id: to('user_keys'), license_id: to('licenses') },
})

const pairInstall = kind({
  table: 'user_key_installs',
  says: 'the installs that a key pair reaches',
  key: ['user_key_id', 'install_id'],
  ownedBy: OF_PAIR,
  columns: { user_key_id: to('user_keys'), install_id: to('installs'), signs: off() },
})

const pairBilling = kind({
  table: 'user_key_billing',
  says: 'the billing address that the holder of a key pair has said',
  ownedBy: OF_PAIR,
  columns: { id: id(), user_key_id: to('user_keys'), ...ADDRESS },
  unique: [{ columns: ['user_key_id'] }],
})

/** What keys of persons reach, after licenses and installs. */
export const KEYS: readonly Kind[] = [userKey, pairLicense, pairInstall, pairBilling]
