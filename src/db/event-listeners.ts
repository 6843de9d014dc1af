import { sql, type RawBuilder } from 'kysely'

/** Whether the listener of a row of `webhooks` has a type; there its types stand between commas. */
export const listensTo = (type: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(types is null or replace(types, ',' || ${type} || ',', '') <> types)`

/**
 * Whose events stay in order, of a row of `events`: a buyer's, else an install's, else those of the thing it is about
 * (`docs/decisions.md` 6.6). What is about nothing that is known waits for nobody.
 */
export const orderKey: RawBuilder<string> = sql`case when user_id is not null then 'u' || user_id
  when install_id is not null then 'i' || install_id when cart_id is not null then 'c' || cart_id
  else coalesce(thing, 'n' || events.id) end`
