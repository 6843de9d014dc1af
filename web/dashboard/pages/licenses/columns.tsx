import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { momentOf } from '../../../ui/time.ts'
import { State, Time } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'
import { useNow } from '../sandbox/clock.tsx'

type Known = Pick<License, 'is_cancelled' | 'expiration'> & { readonly trial_ends?: string | null }

/** In one word whether a license works, by the clock that it lives on. */
export function LicenseState({ is_cancelled, expiration, trial_ends }: Known) {
  const now = useNow()
  if (is_cancelled) return <State word={texts.cancelled} tone="bad" />
  if (now === undefined) return null
  if (expiration !== null && momentOf(expiration) <= momentOf(now))
    return <State word={texts.expired} tone="warning" />
  if (trial_ends) return <State word={texts.trial} tone="plain" />
  return <State word={texts.active} tone="good" />
}

export const usedText = ({ activated, quota }: Pick<License, 'activated' | 'quota'>): string =>
  fill(texts.ofQuota, { used: activated, quota: quota ?? '∞' })

export const EndText = ({ expiration }: Pick<License, 'expiration'>) =>
  expiration === null ? <>{texts.never}</> : <Time time={expiration} />

/** Of a list in which the owner is known. */
export const LICENSE_COLUMNS: readonly Column<License>[] = [
  { label: texts.license, show: ({ id }) => `#${id}` },
  { label: texts.state, show: LicenseState },
  { label: texts.activations, show: usedText, isNumber: true },
  { label: texts.ends, show: EndText },
]
