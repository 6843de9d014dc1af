import { sql } from 'kysely'

interface Conditional {
  where(column: string, operator: '=', value: unknown): Conditional
}

/**
 * Narrows a query to the rows of `table` that have these values in their columns. The environment stands in the text of
 * the statement, as what is of the sandbox has indexes of its own.
 */
export const whereEqual = <Q>(query: Q, table: string, values: object): Q =>
  Object.entries(values).reduce<Conditional>(
    (narrowed, [column, value]) =>
      narrowed.where(`${table}.${column}`, '=', column === 'environment' ? sql.lit(value) : value),
    query as Conditional,
  ) as Q
