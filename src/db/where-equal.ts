interface Conditional {
  where(column: string, operator: '=', value: unknown): Conditional
}

/** Narrows a query to the rows of `table` that have these values in their columns. */
export const whereEqual = <Q>(query: Q, table: string, values: object): Q =>
  Object.entries(values).reduce<Conditional>(
    (narrowed, [column, value]) => narrowed.where(`${table}.${column}`, '=', value),
    query as Conditional,
  ) as Q
