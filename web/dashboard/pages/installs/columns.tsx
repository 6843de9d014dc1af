import type { Install } from '../../../../src/licensing/installs/schema.ts'
import { State } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'

type Known = Pick<Install, 'is_uninstalled' | 'is_active'>

/** In one word whether an install is in use. */
export function InstallState({ is_uninstalled, is_active }: Known) {
  if (is_uninstalled) return <State word={texts.uninstalled} tone="plain" />
  if (!is_active) return <State word={texts.inactive} tone="warning" />
  return <State word={texts.running} tone="good" />
}

/** What people call a site or a machine by. */
export const siteOf = ({ url, title, uid }: Pick<Install, 'url' | 'title' | 'uid'>): string =>
  url ?? (title || uid)
