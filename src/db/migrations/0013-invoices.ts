import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table tax_settings (
    developer_id bigint primary key references developers (id), country ${text}, registrations ${text} not null,
    is_format_enough smallint not null, legal_name ${text} not null, address ${text} not null,
    vat_id ${text} not null, created ${text} not null, updated ${text})`.execute(db)
  await sql`create table invoice_numbers (
    developer_id bigint not null references developers (id), environment smallint not null, kind ${text} not null,
    last bigint not null, primary key (developer_id, environment, kind))`.execute(db)
  await sql`create table invoices (
    id ${id}, developer_id bigint not null references developers (id),
    product_id bigint not null references products (id), payment_id bigint not null unique references payments (id),
    environment smallint not null, kind ${text} not null, number bigint not null, issued_at ${text} not null,
    created ${text} not null, updated ${text}, unique (developer_id, environment, kind, number))`.execute(db)
}
