/** What figures are told by, beside their time and currency, and the column that has it. */
export const GROUP_COLUMNS = {
  plan: 'plan_id',
  country: 'country_code',
  billing_cycle: 'billing_cycle',
} as const
export type Group = keyof typeof GROUP_COLUMNS

export const GROUPS = Object.keys(GROUP_COLUMNS) as readonly Group[]

/** As it is told: text, or null where it is not known. */
export const groupText = (value: string | number | null): string | null =>
  value === null || value === '' ? null : String(value)
