import {
  email,
  firstOf,
  key,
  name,
  quota,
  slug,
  state,
  text,
  time,
  to,
  via,
  type Entity,
  type Platform,
} from './map.ts'

const at = (field: string) => `attributes.${field}`
/** The id of what an object is related to. */
const of = (relationship: string) => `relationships.${relationship}.data.id`
const dates = { created: time(at('created')), updated: time(at('updated')) }

const product: Entity = {
  name: 'products',
  kind: 'products',
  source: 'products',
  id: 'id',
  columns: { title: text(at('name')), slug: slug(firstOf(at('code'), at('name')), 'id'), ...dates },
}

const plan: Entity = {
  name: 'plans',
  kind: 'plans',
  source: 'policies',
  id: 'id',
  columns: {
    product_id: to('products', of('product')),
    name: slug(at('name'), 'id'),
    title: text(at('name'), 100, 'id'),
    ...dates,
  },
}

const user: Entity = {
  name: 'users',
  kind: 'users',
  source: 'users',
  id: 'id',
  only: [{ from: at('role'), take: ['user'], aside: ['*'], code: 'of_the_team' }],
  columns: {
    email: email(at('email')),
    first: name(at('firstName')),
    last: name(at('lastName')),
    ...dates,
  },
}

const license: Entity = {
  name: 'licenses',
  kind: 'licenses',
  source: 'licenses',
  id: 'id',
  columns: {
    product_id: to('products', firstOf(of('product'), via('policies', 'id', of('policy'), of('product')))),
    plan_id: to('plans', of('policy')),
    // `user` of versions of the interface before 1.6.
    user_id: to('users', firstOf(of('owner'), of('user'))),
    secret_key: key(at('key')),
    quota: quota(firstOf(at('maxMachines'), via('policies', 'id', of('policy'), at('maxMachines')))),
    expiration: time(at('expiry')),
    is_cancelled: state(at('status'), {
      ACTIVE: false,
      INACTIVE: false,
      EXPIRING: false,
      EXPIRED: false,
      SUSPENDED: true,
      BANNED: true,
    }),
    ...dates,
  },
}

const machine: Entity = {
  name: 'installs',
  kind: 'installs',
  source: 'machines',
  id: 'id',
  columns: {
    license_id: to('licenses', of('license')),
    address: text(at('fingerprint'), 2_000),
    title: text(firstOf(at('name'), at('hostname'), at('fingerprint')), 2_000),
    platform_version: text(at('platform'), 100),
    ...dates,
  },
}

/** Keygen, by the pages of its interface. */
export const KEYGEN: Platform = {
  name: 'keygen',
  title: 'Keygen',
  says: 'pages of its interface (`GET https://api.keygen.sh/v1/accounts/:account/licenses?page[size]=100&page[number]=1` and so on), each saved as it is',
  documents: [
    'https://keygen.sh/docs/api/licenses/',
    'https://github.com/keygen-sh/keygen-api (app/serializers)',
  ],
  sources: {
    products: { file: 'products', says: 'products', required: true },
    policies: { file: 'policies', says: 'policies, which are plans here', required: true },
    users: { file: 'users', says: 'users' },
    licenses: { file: 'licenses', says: 'licenses', required: true },
    machines: { file: 'machines', says: 'where licenses are active' },
  },
  entities: [product, plan, user, license, machine],
  noFit: [
    {
      what: 'payments, subscriptions, prices and methods of payment',
      why: 'Keygen sells nothing: bring them from where you sell, in the same account',
    },
    {
      what: 'machines of licenses without an owner',
      why: 'a site here is of a person: `missing`. The license comes, and is of whoever activates it first',
    },
    {
      what: 'signed and encrypted keys',
      why: 'come as they are, and are looked up here; programs that check their signature offline go on with the key of Keygen. Keys of more than 255 characters do not come',
    },
    {
      what: 'lengths of policies, check-ins, heartbeats, processes, cores and uses',
      why: 'a license here has a quota and an end',
    },
    { what: 'entitlements, groups, tokens, releases and webhooks', why: 'have no table here' },
    { what: 'persons of the team', why: 'are invited anew: `of_the_team`' },
    { what: 'several users of a license', why: 'a license here has one owner' },
  ],
}
