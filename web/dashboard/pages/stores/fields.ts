import type { Field } from '../../form.tsx'
import { texts } from '../../texts/texts.ts'

/** What is said of a store. */
export const STORE_FIELDS: readonly Field[] = [
  { name: 'title', label: texts.storeTitle },
  { name: 'url', label: texts.storeUrl, help: texts.storeUrlHelp, kind: 'url' },
  { name: 'dashboard_url', label: texts.portalUrl, help: texts.portalUrlHelp, kind: 'url' },
]

/** The fields of stores that are asked for: what is shown of one has no key that must be kept. */
export const SHOWN = 'id,created,updated,title,url,dashboard_url,public_key'
