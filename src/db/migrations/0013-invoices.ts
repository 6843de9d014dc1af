import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [taxSettings, invoices]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const taxSettings = ({ text }: Words) => [
  sql`create table tax_settings (
    developer_id bigint primary key references developers (id),
    country ${text},
    registrations ${text} not null,
    is_format_enough smallint not null,
    legal_name ${text} not null,
    address ${text} not null,
    vat_id ${text} not null,
    created ${text} not null,
    updated ${text})`,
]

const invoices = ({ id, text }: Words) => [
  sql`create table invoice_numbers (
    developer_id bigint not null references developers (id),
    environment smallint not null,
    kind ${text} not null,
    last bigint not null,
    primary key (developer_id, environment, kind))`,
  sql`create table invoices (
    id ${id},
    developer_id bigint not null references developers (id),
    product_id bigint not null references products (id),
    payment_id bigint not null unique references payments (id),
    environment smallint not null,
    kind ${text} not null,
    number bigint not null,
    issued_at ${text} not null,
    created ${text} not null,
    updated ${text},
    unique (developer_id, environment, kind, number))`,
]
