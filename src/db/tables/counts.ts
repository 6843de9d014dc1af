import type { Generated } from 'kysely'

/** Of a seller or a product, what is counted as it is written (`db/count-triggers.ts`). */
export type Counted =
  | 'users'
  | 'people'
  | 'customers'
  | 'account_customers'
  | 'licenses'
  | 'installs'
  | 'trials'
  | 'subscriptions'
  | 'carts'

/** How many live rows there are; on PostgreSQL with what `count_changes` has beside it. */
export interface CountsTable {
  what: Counted
  /** The product; of people and account's customers the developer. */
  owner_id: number
  /** The day on which what is counted ends by itself, or NEVER. */
  until: string
  number: number
}

/** On PostgreSQL, what was written since it was added to `counts`: a row a change, so that no writer waits for another. */
export interface CountChangesTable {
  id: Generated<number>
  what: Counted
  owner_id: number
  until: string
  number: number
}

/** In how many products of an account a person has paid more than nothing. */
export interface AccountCustomersTable {
  developer_id: number
  user_id: number
  products: number
}
