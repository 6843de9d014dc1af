import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [persons, accessTokens, sessions, logins, secondFactors, team, bankAccounts]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const persons = ({ text }: Words) => [
  sql`alter table developers add column picture ${text} not null default ''`,
  sql`alter table developers add column ip ${text}`,
  sql`alter table developers add column last_login_at ${text}`,
]

const accessTokens = () => [
  sql`alter table access_tokens add column person_id bigint references developers (id)`,
  // The tokens of a person, which end with its sessions or its membership.
  sql`create index access_tokens_of_person on access_tokens (person_id) where person_id is not null`,
]

const sessions = ({ id, text }: Words) => [
  sql`create table sessions (
    id ${id},
    person_id bigint not null references developers (id),
    token_hash ${text} not null unique,
    created_at bigint not null,
    expires_at bigint not null)`,
  // The other sessions of a person, which it ends.
  sql`create index sessions_of_person on sessions (person_id)`,
  // The job `prune`: sessions that have ended.
  sql`create index sessions_expiry on sessions (expires_at)`,
]

const logins = ({ text }: Words) => [
  sql`create table login_failures (
    key ${text} not null primary key,
    failures integer not null,
    last_at bigint not null)`,
  // The job `prune`: failures that no longer count.
  sql`create index login_failures_age on login_failures (last_at)`,
  sql`create table login_addresses (
    person_id bigint not null references developers (id),
    address ${text} not null,
    last_at bigint not null,
    primary key (person_id, address))`,
  // The job `prune`: addresses that were not used for long.
  sql`create index login_addresses_age on login_addresses (last_at)`,
]

const secondFactors = ({ id, text }: Words) => [
  sql`create table two_factor (
    person_id bigint not null primary key references developers (id),
    secret ${text} not null,
    last_step bigint not null,
    confirmed_at ${text})`,
  sql`create table backup_codes (
    id ${id},
    person_id bigint not null references developers (id),
    code_hash ${text} not null unique)`,
  // The backup codes of a person, which go with its second factor.
  sql`create index backup_codes_of_person on backup_codes (person_id)`,
]

const team = ({ id, text }: Words) => [
  sql`create table members (
    id ${id},
    developer_id bigint not null references developers (id),
    person_id bigint not null references developers (id),
    role ${text} not null,
    created ${text} not null,
    updated ${text},
    unique (developer_id, person_id))`,
  sql`create table member_invitations (
    id ${id},
    developer_id bigint not null references developers (id),
    person_id bigint not null references developers (id),
    token_hash ${text} not null unique,
    created ${text} not null,
    expires_at ${text} not null,
    used_at ${text})`,
  // The job `prune`: invitations that have expired.
  sql`create index member_invitations_expiry on member_invitations (expires_at)`,
]

const bankAccounts = ({ id, text }: Words) => [
  sql`create table bank_accounts (
    id ${id},
    developer_id bigint not null references developers (id),
    account_number ${text} not null,
    account_last4 ${text} not null,
    name ${text} not null,
    phone ${text} not null,
    address_street ${text} not null,
    address_apt ${text},
    address_city ${text} not null,
    address_state ${text},
    address_zip ${text} not null,
    address_country_code ${text} not null,
    bank_name ${text} not null,
    bank_city_state ${text} not null,
    bank_country_code ${text} not null,
    swift ${text} not null,
    ifsc ${text},
    sort_code ${text},
    aba_rtn ${text},
    wise_account_email ${text},
    created ${text} not null,
    updated ${text})`,
  // The list of a seller's bank accounts, newest first.
  sql`create index bank_accounts_of_developer on bank_accounts (developer_id, id)`,
]
