import { sql, type RawBuilder } from 'kysely'
import type { Engine } from './database.ts'
import type { Counted } from './tables/counts.ts'

/** After every day that is written as YYYY-MM-DD. */
export const NEVER = 'never'

/** Which rows of a table count, for whom, and until which day. */
interface Count {
  readonly what: Counted
  readonly table: string
  /** The column that says whose the row is. */
  readonly owner: string
  /** What else is looked at. */
  readonly columns: readonly string[]
  /** Whether a row counts: SQL of both databases, with the name of the row in front of its columns. */
  readonly counts: (row: string) => string
  readonly until?: (row: string) => string
}

/** As the index of open carts says it; all but what is completed. */
const OPEN = "('pricing_visit', 'visit', 'abandoned', 'email_1_sent', 'email_2_sent', 'email_3_sent')"

const COUNTS: readonly Count[] = [
  { what: 'users', table: 'product_users', owner: 'product_id', columns: [], counts: () => '1 = 1' },
  { what: 'people', table: 'users', owner: 'developer_id', columns: [], counts: () => '1 = 1' },
  {
    what: 'customers',
    table: 'product_users',
    owner: 'product_id',
    columns: ['gross'],
    counts: (row) => `${row}.gross > 0`,
  },
  {
    what: 'account_customers',
    table: 'account_customers',
    owner: 'developer_id',
    columns: ['products'],
    counts: (row) => `${row}.products > 0`,
  },
  {
    what: 'licenses',
    table: 'licenses',
    owner: 'product_id',
    columns: ['is_cancelled', 'environment', 'expiration'],
    counts: (row) => `${row}.is_cancelled = 0 and ${row}.environment = 0`,
    until: (row) => `coalesce(substr(${row}.expiration, 1, 10), '${NEVER}')`,
  },
  {
    what: 'installs',
    table: 'installs',
    owner: 'product_id',
    columns: ['is_active', 'is_uninstalled', 'environment'],
    counts: (row) => `${row}.is_active = 1 and ${row}.is_uninstalled = 0 and ${row}.environment = 0`,
  },
  {
    what: 'trials',
    table: 'trials',
    owner: 'product_id',
    columns: ['notice_at', 'environment'],
    counts: (row) => `${row}.notice_at is not null and ${row}.environment = 0`,
  },
  {
    what: 'subscriptions',
    table: 'subscriptions',
    owner: 'product_id',
    columns: ['canceled_at', 'environment'],
    counts: (row) => `${row}.canceled_at is null and ${row}.environment = 0`,
  },
  {
    what: 'carts',
    table: 'carts',
    owner: 'product_id',
    columns: ['status', 'environment'],
    counts: (row) => `${row}.status in ${OPEN} and ${row}.environment = 0`,
  },
]

/**
 * What counts rows as they are written, in the transaction that writes them, and counts those that are there. SQLite
 * adds to the count itself, as one writes at a time; PostgreSQL adds a row, as all who write would wait for a count.
 */
export const countTriggers = (engine: Engine): RawBuilder<unknown>[] => [
  ...COUNTS.flatMap((count) => [
    ...(engine === 'postgres' ? onPostgres(count) : onSqlite(count)),
    ...(count.table === 'account_customers' ? [] : [countAll(count)]),
  ]),
  ...payers(engine),
  // Fills the table, which counts itself.
  sql.raw(`insert into account_customers (developer_id, user_id, products)
    select products.developer_id, user_id, count(*) from product_users
      join products on products.id = product_users.product_id
    where product_users.gross > 0 group by products.developer_id, user_id`),
]

const untilOf = ({ until }: Count, row: string) => until?.(row) ?? `'${NEVER}'`

const countAll = (count: Count) =>
  sql.raw(`insert into counts (what, owner_id, until, number)
    select '${count.what}', ${count.owner}, ${untilOf(count, count.table)}, count(*) from ${count.table}
    where ${count.counts(count.table)} group by 2, 3`)

/** Whether an update changes what a row counts for. */
const changes = (count: Count) => {
  const both = [count.counts, (row: string) => untilOf(count, row), (row: string) => `${row}.${count.owner}`]
  return { old: both.map((of) => of('old')), new: both.map((of) => of('new')) }
}

function onSqlite(count: Count): RawBuilder<unknown>[] {
  const { what, table, owner, columns } = count
  const add = (row: 'new' | 'old', number: number) =>
    `insert into counts (what, owner_id, until, number)
       select '${what}', ${row}.${owner}, ${untilOf(count, row)}, ${number} where ${count.counts(row)}
       on conflict (what, owner_id, until) do update set number = number + excluded.number;`
  const both = changes(count)
  const isChanged = both.old.map((was, n) => `(${was}) is not (${both.new[n]})`).join(' or ')
  const of = [owner, ...columns].join(', ')
  return [
    sql.raw(`create trigger ${what}_added after insert on ${table} when ${count.counts('new')}
      begin ${add('new', 1)} end`),
    sql.raw(`create trigger ${what}_removed after delete on ${table} when ${count.counts('old')}
      begin ${add('old', -1)} end`),
    sql.raw(`create trigger ${what}_changed after update of ${of} on ${table} when ${isChanged}
      begin ${add('old', -1)} ${add('new', 1)} end`),
  ]
}

function onPostgres(count: Count): RawBuilder<unknown>[] {
  const { what, table, owner, columns } = count
  const add = (row: 'new' | 'old', number: number) =>
    `if ${count.counts(row)} then
       insert into count_changes (what, owner_id, until, number)
       values ('${what}', ${row}.${owner}, ${untilOf(count, row)}, ${number});
     end if;`
  const both = changes(count)
  const isChanged = both.old.map((was, n) => `(${was}) is distinct from (${both.new[n]})`).join(' or ')
  const calls = `for each row`
  return [
    sql.raw(`create function ${what}_count() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then ${add('old', -1)} end if;
      if tg_op <> 'DELETE' then ${add('new', 1)} end if;
      return null; end $$`),
    sql.raw(`create trigger ${what}_added after insert on ${table} ${calls}
      when (${count.counts('new')}) execute function ${what}_count()`),
    sql.raw(`create trigger ${what}_removed after delete on ${table} ${calls}
      when (${count.counts('old')}) execute function ${what}_count()`),
    sql.raw(`create trigger ${what}_changed after update of ${[owner, ...columns].join(', ')} on ${table} ${calls}
      when (${isChanged}) execute function ${what}_count()`),
  ]
}

/** Who has paid for something of an account, which a person is once in however many products. */
function payers(engine: Engine): RawBuilder<unknown>[] {
  const paysMore = `insert into account_customers (developer_id, user_id, products)
     select developer_id, new.user_id, 1 from products where id = new.product_id
     on conflict (developer_id, user_id) do update set products = account_customers.products + 1;`
  const ofOld = `user_id = old.user_id
     and developer_id = (select developer_id from products where id = old.product_id)`
  const paysLess = `update account_customers set products = products - 1 where ${ofOld};
     delete from account_customers where ${ofOld} and products = 0;`
  const cases = [
    ['paid', 'insert', 'new.gross > 0', paysMore],
    ['unpaid', 'delete', 'old.gross > 0', paysLess],
    ['pays', 'update of gross', 'old.gross <= 0 and new.gross > 0', paysMore],
    ['pays_back', 'update of gross', 'old.gross > 0 and new.gross <= 0', paysLess],
  ] as const
  return cases.flatMap(([name, event, when, statements]) =>
    engine === 'sqlite'
      ? [
          sql.raw(`create trigger account_customers_${name} after ${event} on product_users when ${when}
            begin ${statements} end`),
        ]
      : [
          sql.raw(`create function account_customers_${name}() returns trigger language plpgsql as
            $$ begin ${statements} return null; end $$`),
          sql.raw(`create trigger account_customers_${name} after ${event} on product_users for each row
            when (${when}) execute function account_customers_${name}()`),
        ],
  )
}
