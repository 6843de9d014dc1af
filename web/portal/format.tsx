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

const State = ({ word, tone }: { readonly word: string; readonly tone: string }) => (
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

export const usedText = ({ activated, quota }: Pick<License, 'activated' | 'quota'>): string =>
  fill(texts.ofQuota, { used: activated, quota: quota ?? texts.unlimited })

export const EndText = ({ expiration }: Pick<License, 'expiration'>) =>
  expiration === null ? <>{texts.never}</> : <Time time={expiration} />

/** A day as people write it. */
export const dayText = (time: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(momentOf(time))
