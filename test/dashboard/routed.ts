import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The source of all routes of the dashboard. */
export const ROUTES = ['account-pages.tsx', 'router.tsx']
  .map((file) => readFileSync(join(import.meta.dirname, '../../web/dashboard', file), 'utf8'))
  .join('\n')
