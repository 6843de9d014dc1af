import type { License } from '../../src/licensing/licenses/schema.ts'
import type { Subscription } from '../../src/sales/subscriptions/schema.ts'
import { fill } from '../shared/language.ts'
import { money } from '../shared/money.ts'
import { Copied } from '../ui/Copied.tsx'
import { momentOf } from '../ui/time.ts'
import { When } from '../ui/When.tsx'
import { language, texts } from './texts/texts.ts'

export const Time = ({ time }: { readonly time: string | null }) => <When time={time} language={language} />

export const Key = ({ text }: { readonly text: string }) => <Copied text={text} words={texts} isSecret />

/** An amount in the units of its currency. */
export const Amount = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => (
  <span className="number">{money(amount, currency, language)}</span>
)

/** A word of how something stands; the tone says whether that is good. */
export const State = ({ word, tone }: { readonly word: string; readonly tone: string }) => (
  <span className={`state ${tone}`}>{word}</span>
)

const hasCome = (time: string | null): boolean => time !== null && momentOf(time).getTime() <= Date.now()

/** In one word whether a license works; what is of the sandbox is told so. */
export function LicenseState({
  is_cancelled,
  expiration,
  environment,
}: Pick<License, 'is_cancelled' | 'expiration' | 'environment'>) {
  return (
    <>
      {is_cancelled ? (
        <State word={texts.cancelled} tone="bad" />
      ) : hasCome(expiration) ? (
        <State word={texts.expired} tone="warning" />
      ) : (
        <State word={texts.active} tone="good" />
      )}
      <OfTest environment={environment} />
    </>
  )
}

export const OfTest = ({ environment }: { readonly environment: number }) =>
  environment === 1 ? <State word={texts.test} tone="" /> : null

/** In one word whether a subscription goes on. */
export function SubscriptionState(one: Subscription) {
  return (
    <>
      {one.canceled_at !== null ? (
        <State word={texts.cancelled} tone="" />
      ) : one.failed_payments > 0 ? (
        <State word={texts.pastDue} tone="bad" />
      ) : one.trial_ends !== null && !hasCome(one.trial_ends) ? (
        <State word={texts.trial} tone="" />
      ) : (
        <State word={texts.active} tone="good" />
      )}
      <OfTest environment={one.environment} />
    </>
  )
}

const CYCLES: Readonly<Record<number, string>> = { 0: texts.lifetime, 1: texts.monthly, 12: texts.annual }
export const cycleText = (months: number): string => CYCLES[months] ?? texts.none

/** How often something is billed, as a checkout names it. */
export const cycleNameText = (cycle: 'monthly' | 'annual' | 'lifetime'): string => texts[cycle]

export const usedText = ({ activated, quota }: Pick<License, 'activated' | 'quota'>): string =>
  fill(texts.ofQuota, { used: activated, quota: quota ?? texts.unlimited })

export const EndText = ({ expiration }: Pick<License, 'expiration'>) =>
  expiration === null ? <>{texts.never}</> : <Time time={expiration} />

/** Whether a license allows nothing more: it was cancelled, or has ended. */
export const isOver = ({ is_cancelled, expiration }: Pick<License, 'is_cancelled' | 'expiration'>): boolean =>
  is_cancelled || hasCome(expiration)

const SIZES = ['kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in the unit that leaves the fewest digits; bytes. */
export function sizeText(bytes: number): string {
  const at = bytes < 1e6 ? 0 : bytes < 1e9 ? 1 : 2
  const unit = SIZES[at] ?? 'kilobyte'
  const amount = Math.max(1, bytes / 1e3 ** (at + 1))
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: at }).format(amount)
}

/** A day as people write it. */
export const dayText = (time: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(momentOf(time))
