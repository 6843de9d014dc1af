import type { WriteAccess } from './roles.ts'

/** What a role needs that looks at the portal as a customer, where keys, sales and addresses are all shown. */
export const VIEWING: WriteAccess = 'customers.write'
